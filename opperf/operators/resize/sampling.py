"""Sampling of images at grids of coordinates, as in spatial transformer networks.

Coordinates run from -1 to 1, x before y, from the center of the first pixel to that of the last
(Jaderberg et al. 2015, section 3); outside, everything is 0. They stay away from pixel centers,
where the gradient jumps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.resize.resize import COORDINATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Initializer, Shape

FLOATS = ("float64", "float32")
"""Coordinates in half precision do not resolve a pixel."""


def grid_sample(data: Array, grid: Array) -> Array:
    """Interpolate bilinearly at each point."""
    size = data.shape[2:]
    x, y = ((grid[:, at] + 1) * (n - 1) / 2 for at, n in enumerate(size[::-1]))
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    image = np.arange(len(data))[:, None, None]
    result = np.zeros((*x.shape, data.shape[1]), data.dtype)
    for row, column in np.ndindex(2, 2):
        at_x, at_y = left + column, top + row
        inside = (at_x >= 0) & (at_x < size[1]) & (at_y >= 0) & (at_y < size[0])
        weight = (1 - np.abs(x - at_x)) * (1 - np.abs(y - at_y)) * inside
        found = data[image, :, at_y.clip(0, size[0] - 1), at_x.clip(0, size[1] - 1)]
        result += weight[..., None] * found
    return np.moveaxis(result, -1, 1)


def between_pixels(size: Shape) -> Initializer:
    """Return an initializer of coordinates between the pixels of an image."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        planes = [
            (random.integers(0, n - 1, (shape[0], *shape[2:])) + 0.5) / (n - 1) * 2
            - 1
            + random.uniform(-0.4, 0.4, (shape[0], *shape[2:])) / (n - 1) * 2
            for n in size[::-1]
        ]
        return np.stack(planes, 1)

    return draw


class GridSample(Declaration):
    """Bilinear interpolation at the points of a grid, whose planes are x and y."""

    tensors = {"data": Tensor(), "grid": Tensor(low=-1, high=1)}
    sizes = {
        "small": {"data": (1, 3, 8, 8), "grid": (1, 2, 6, 6)},
        "typical": {"data": (4, 64, 56, 56), "grid": (4, 2, 56, 56)},
        "large": {"data": (32, 64, 56, 56), "grid": (32, 2, 56, 56)},
        "skewed": {"data": (1, 3, 5, 31), "grid": (1, 2, 3, 11)},
    }
    reference = grid_sample
    dtypes = FLOATS
    tolerance = gradient_tolerance = COORDINATES
    flops_per_element = 8  # a multiplication and an addition of each of four neighbors

    def domains(self) -> Mapping[str, Tensor]:
        """Return coordinates between the pixels."""
        draw = between_pixels(self.inputs["data"][2:])
        return {**self.tensors, "grid": replace(self.tensors["grid"], initializer=draw)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of the grid's size."""
        self.require_rank("data", 4)
        self.require_rank("grid", 4)
        batch, channels, *size = self.inputs["data"]
        self.require(min(size) > 1, "data", "must be images of more than one pixel a side")
        fits = self.inputs["grid"][:2] == (batch, 2)
        self.require(fits, "grid", f"must be ({batch}, 2, any, any)")
        return ((batch, channels, *self.inputs["grid"][2:]),)


def affine_grid(loc: Array, *, target_shape: Shape) -> Array:
    """Return theta @ (x, y, 1) at the points of a regular grid."""
    rows, columns = (np.linspace(-1, 1, n) for n in target_shape)
    y, x = np.meshgrid(rows, columns, indexing="ij")
    points = np.stack([x, y, np.ones_like(x)]).astype(loc.dtype)
    return np.einsum("nij,jhw->nihw", loc.reshape(-1, 2, 3), points)


class Affine(Declaration, abstract=True):
    """An operator on affine maps of six numbers."""

    attributes = {"target_shape": (56, 56)}
    dtypes = FLOATS
    tolerance = gradient_tolerance = COORDINATES

    def maps(self) -> tuple[int, int, int]:
        """Return the number of maps, and the size of a grid."""
        self.require_rank("loc", 2)
        self.require_rank("target_shape", 2)
        batch, numbers = self.inputs["loc"]
        self.require(numbers == SIX, "loc", f"must have {SIX} numbers an image")
        height, width = self.inputs["target_shape"]
        self.require(min(height, width) > 1, "target_shape", "must be at least 2 a side")
        return batch, height, width


class AffineGrid(Affine):
    """theta @ (x, y, 1) at the points of a regular grid, per image."""

    tensors = {"loc": Tensor()}
    sizes = {
        "small": {"loc": (2, 6), "target_shape": (6, 6)},
        "typical": {"loc": (16, 6)},
        "large": {"loc": (64, 6), "target_shape": (224, 224)},
        "skewed": {"loc": (1, 6), "target_shape": (3, 1023)},
    }
    reference = affine_grid
    flops_per_element = 4  # two multiplications and two additions a coordinate

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the x and y planes of each image."""
        batch, height, width = self.maps()
        return ((batch, 2, height, width),)


SIX = 6


def spatial_transformer(data: Array, loc: Array, *, target_shape: Shape) -> Array:
    """grid_sample(data, affine_grid(theta))."""
    return grid_sample(data, affine_grid(loc, target_shape=target_shape))


def between_lines(size: Shape, target: Shape) -> Initializer:
    """Return an initializer of maps that take a regular grid between an image's pixels."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        exact, most = np.zeros((2, 3)), np.zeros((2, 3))
        for axis, (pixels, points) in enumerate(zip(size[::-1], target[::-1], strict=True)):
            exact[axis, axis] = (points - 1) / (pixels - 1)
            exact[axis, 2] = (1 - (pixels - points) % 2) / (pixels - 1)  # half a pixel
            most[axis] = 0.8 / (3 * (pixels - 1))  # the three together: 0.4 pixels
        return exact.ravel() + random.uniform(-1, 1, shape) * most.ravel()

    return draw


class SpatialTransformer(Affine):
    """grid_sample(data, affine_grid(theta))."""

    tensors = {"data": Tensor(), "loc": Tensor()}
    attributes = {"target_shape": (55, 55)}
    sizes = {
        "small": {"data": (1, 3, 8, 8), "loc": (1, 6), "target_shape": (5, 5)},
        "typical": {"data": (4, 64, 56, 56), "loc": (4, 6)},
        "large": {"data": (32, 64, 56, 56), "loc": (32, 6)},
        "skewed": {"data": (1, 3, 5, 31), "loc": (1, 6), "target_shape": (2, 9)},
    }
    reference = spatial_transformer
    flops_per_element = 8  # a multiplication and an addition of each of four neighbors

    def domains(self) -> Mapping[str, Tensor]:
        """Return maps that take no point to a pixel's center line."""
        draw = between_lines(self.inputs["data"][2:], self.inputs["target_shape"])
        return {**self.tensors, "loc": Tensor(initializer=draw)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of the requested size."""
        self.require_rank("data", 4)
        batch, height, width = self.maps()
        found, channels, *_ = self.inputs["data"]
        self.require(found == batch, "loc", f"must have {found} rows, one an image")
        fits = min(self.inputs["data"][2:]) > 1
        self.require(fits, "data", "must be images of more than one pixel a side")
        return ((batch, channels, height, width),)
