"""Resizing by interpolation: each axis is multiplied by a matrix of weights.

Typical doubles a feature map of 256 channels, as in a feature pyramid (Lin et al. 2017), for one
image; skewed is odd and long in one dimension.
"""

from __future__ import annotations

from math import floor, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.pooling.adaptive import along

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


CHANNELS = 2

HALVES = ("float64", "float32")

COORDINATES = CANCELING_SUMS.with_atol(
    "its weights are the fractions of positions that are rounded", float32=1e-4
)


def kernel_weights(size: int, count: int, places: Array, kernel: Callable[[Array], Array]) -> Array:
    """Return (count, size) weights of a kernel around points; edges repeat beyond an end."""
    reach = 3
    matrix = np.zeros((count, size))
    base = np.floor(places).astype(int)
    for offset in range(-reach, reach + 1):
        at = np.clip(base + offset, 0, size - 1)
        np.add.at(matrix, (np.arange(count), at), kernel(places - base - offset))
    return matrix


def hat(x: Array) -> Array:
    """max(0, 1 - |x|), the kernel of linear interpolation."""
    return np.maximum(1 - np.abs(x), 0)


def cubic(x: Array, a: float = -0.75) -> Array:
    """Return the kernel of cubic convolution (Keys 1981), with a = -0.75 as in OpenCV."""
    x = np.abs(x)
    near = (a + 2) * x**3 - (a + 3) * x**2 + 1
    far = a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))  # noqa: PLR2004 - the kernel's ends


def by_corners(size: int, count: int) -> Array:
    """Return the weights of linear interpolation with aligned corners."""
    places = np.arange(count) * ((size - 1) / max(count - 1, 1))
    return kernel_weights(size, count, places, hat)


def by_centers(size: int, count: int, kernel: Callable[[Array], Array] = hat) -> Array:
    """Return the weights of linear interpolation between pixel centers."""
    places = (np.arange(count) + 0.5) * size / count - 0.5
    if kernel is hat:
        places = np.maximum(places, 0)
    return kernel_weights(size, count, places, kernel)


def by_cubes(size: int, count: int) -> Array:
    """Return the weights of cubic convolution between pixel centers."""
    return by_centers(size, count, cubic)


def by_antialiased(size: int, count: int) -> Array:
    """Return the weights of antialiased linear interpolation: hats as wide as the new pixels."""
    scale = size / count
    support = max(scale, 1)
    centers = (np.arange(count) + 0.5) * scale
    matrix = np.zeros((count, size))
    for i, center in enumerate(centers):
        start, end = max(floor(center - support + 0.5), 0), min(floor(center + support + 0.5), size)
        weights = hat((np.arange(start, end) + 0.5 - center) / support)
        matrix[i, start:end] = weights / weights.sum()
    return matrix


def interpolation(rule: Callable[[int, int], Array]) -> tuple[Any, Any]:
    """Return the reference and the gradient that apply `weights` along every axis."""

    def interpolate(data: Array, *, output_size: Shape) -> Array:
        """Multiply every axis by its weights."""
        for axis, count in enumerate(output_size, CHANNELS):
            data = along(rule(data.shape[axis], count).astype(data.dtype), data, axis)
        return data

    def gradient(cotangents: Sequence[Array], data: Array, *, output_size: Shape) -> tuple[Array]:
        """Multiply every axis by its transposed weights."""
        found = cotangents[0]
        for axis, count in enumerate(output_size, CHANNELS):
            found = along(rule(data.shape[axis], count).T, found, axis)
        return (found,)

    return interpolate, gradient


class Interpolation(Declaration, abstract=True):
    """Interpolation in `spatial` dimensions to `output_size`."""

    tensors = {"data": Tensor()}
    spatial: ClassVar[int] = 2
    terms: ClassVar[int] = 2
    dtypes = HALVES
    tolerance = gradient_tolerance = COORDINATES

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with the requested size."""
        self.require_rank("data", self.spatial + CHANNELS)
        self.require_rank("output_size", self.spatial)
        return ((*self.inputs["data"][:CHANNELS], *self.inputs["output_size"]),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition per neighbor of each new pixel."""
        return 2 * self.terms**self.spatial * prod(self.outputs()[0])


IMAGES: Mapping[str, Mapping[str, object]] = {
    "small": {"data": (1, 4, 8, 8), "output_size": (12, 12)},
    "typical": {"data": (1, 256, 50, 68), "output_size": (100, 136)},
    "large": {"data": (8, 256, 50, 68), "output_size": (100, 136)},
    "skewed": {"data": (1, 3, 7, 127), "output_size": (11, 59)},
}


class ResizeBilinear(Interpolation):
    """Bilinear interpolation with aligned corners."""

    attributes = {"output_size": (100, 136)}
    sizes = IMAGES
    reference, gradient = interpolation(by_corners)


class ResizeBilinearCenters(Interpolation):
    """Bilinear interpolation between pixel centers (half-pixel coordinates)."""

    attributes = {"output_size": (100, 136)}
    sizes = IMAGES
    reference, gradient = interpolation(by_centers)


class ResizeBilinearAntialias(Interpolation):
    """Bilinear interpolation with antialiasing where images become smaller."""

    attributes = {"output_size": (100, 136)}
    sizes = IMAGES
    reference, gradient = interpolation(by_antialiased)


class ResizeBicubic(Interpolation):
    """Bicubic interpolation of images."""

    terms = 4
    attributes = {"output_size": (100, 136)}
    sizes = IMAGES
    reference, gradient = interpolation(by_cubes)


class ResizeLinear(Interpolation):
    """Linear interpolation of sequences, between sample centers."""

    spatial = 1
    attributes = {"output_size": (1024,)}
    sizes = {
        "small": {"data": (1, 4, 64), "output_size": (128,)},
        "typical": {"data": (4, 256, 512)},
        "large": {"data": (32, 256, 2048), "output_size": (4096,)},
        "skewed": {"data": (1, 3, 301), "output_size": (97,)},
    }
    reference, gradient = interpolation(by_centers)


class ResizeTrilinear(Interpolation):
    """Trilinear interpolation of volumes, between voxel centers."""

    spatial = 3
    attributes = {"output_size": (16, 32, 32)}
    sizes = {
        "small": {"data": (1, 2, 4, 4, 4), "output_size": (8, 8, 8)},
        "typical": {"data": (1, 128, 8, 16, 16)},
        "large": {"data": (4, 128, 16, 32, 32), "output_size": (32, 64, 64)},
        "skewed": {"data": (1, 3, 5, 7, 63), "output_size": (7, 11, 31)},
    }
    reference, gradient = interpolation(by_centers)
