"""Region pooling and correlation of feature maps.

Typical is Fast R-CNN's pooling of 128 regions of VGG-16's last map, to 7 x 7, and PWC-Net's
correlation of level 4 of a 448 x 1024 image. Regions are (image, left, top, right, bottom) in
pixels of the map.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Initializer, Shape

REGION = 5


def regions(shape: Shape, grid: Shape) -> Initializer:
    """Return an initializer that draws regions within such maps, a multiple of the grid in pixels.

    Cells of a whole number of pixels: elsewhere single-precision rounding of the cell's edge
    decides whether the next row of pixels belongs to it.
    """

    def draw(random: np.random.Generator, size: Shape, low: float, high: float) -> Array:
        del low, high
        count = size[0]
        image = random.integers(0, shape[0], count)
        starts, ends = [], []
        for length, parts in zip(shape[:1:-1], grid[::-1], strict=True):
            side = parts * random.integers(1, max(length // parts, 1) + 1, count)
            starts.append(random.integers(0, np.maximum(length - side, 0) + 1))
            ends.append(np.minimum(starts[-1] + side, length) - 1)
        return np.column_stack((image, *starts, *ends))

    return draw


def cells(start: int, end: int, count: int, length: int) -> list[slice]:
    """Return the pixel range of each cell; they overlap where there are fewer pixels than cells."""
    step = max(end - start + 1, 1) / count
    return [
        slice(
            min(max(int(np.floor(at * step)) + start, 0), length),
            min(max(int(np.ceil((at + 1) * step)) + start, 0), length),
        )
        for at in range(count)
    ]


def roi_parts(data: Array, rois: Array, pooled_size: Shape) -> Any:
    """Yield the index of each cell of each region in the output and in the data."""
    for at, roi in enumerate(rois):
        image, left, top, right, bottom = (int(number) for number in roi)
        rows = cells(top, bottom, pooled_size[0], data.shape[2])
        columns = cells(left, right, pooled_size[1], data.shape[3])
        for row, column in np.ndindex(*pooled_size):
            yield (at, slice(None), row, column), (image, slice(None), rows[row], columns[column])


def roi_pool(data: Array, rois: Array, *, pooled_size: Shape) -> Array:
    """Return the maximum of each cell of each region (Girshick 2015, section 2.1)."""
    result = np.zeros((len(rois), data.shape[1], *pooled_size), data.dtype)
    for target, source in roi_parts(data, rois, pooled_size):
        result[target] = data[source].max(axis=(1, 2))
    return result


def roi_pool_gradient(
    cotangents: Sequence[Array], data: Array, rois: Array, *, pooled_size: Shape
) -> tuple[Array]:
    """Return the gradient by data: each cell's maximum gets its cotangent."""
    result = np.zeros_like(data)
    channels = np.arange(data.shape[1])
    for target, source in roi_parts(data, rois, pooled_size):
        part = data[source]
        first = part.reshape(len(part), -1).argmax(axis=1)
        row, column = np.unravel_index(first, part.shape[1:])
        result[source][channels, row, column] += cotangents[0][target]
    return (result,)


class ROIPooling(Declaration):
    """Maximum of each cell of a grid over each region, by channel."""

    tensors = {"data": Tensor(), "rois": Tensor(low=0, differentiable=False)}
    attributes = {"pooled_size": (7, 7)}
    sizes = {
        "small": {"data": (1, 4, 12, 12), "rois": (4, REGION), "pooled_size": (3, 3)},
        "typical": {"data": (2, 512, 38, 50), "rois": (128, REGION)},
        "large": {"data": (8, 512, 38, 50), "rois": (512, REGION)},
        "skewed": {"data": (1, 3, 5, 301), "rois": (7, REGION), "pooled_size": (2, 11)},
    }
    reference = roi_pool
    gradient = roi_pool_gradient
    dtypes = ("float64", "float32")
    gradient_tolerance = CANCELING_SUMS.because("regions that share a maximum add up")
    flops_per_element = 0  # comparisons are no floating-point operations

    def domains(self) -> Mapping[str, Tensor]:
        """Return regions within the maps."""
        shape, grid = self.inputs["data"], self.inputs["pooled_size"]
        drawn = regions(shape, grid)
        rois = Tensor(low=0, high=max(shape), differentiable=False, initializer=drawn)
        return {**self.tensors, "rois": rois}

    def outputs(self) -> tuple[Shape, ...]:
        """Return (regions, channels, *pooled_size)."""
        self.require_rank("data", 4)
        self.require_rank("rois", 2)
        self.require_rank("pooled_size", 2)
        count, numbers = self.inputs["rois"]
        self.require(numbers == REGION, "rois", f"must have {REGION} columns")
        return ((count, self.inputs["data"][1], *self.inputs["pooled_size"]),)


def correlation(lhs: Array, rhs: Array, *, reach: int) -> Array:
    """Return the mean over channels of lhs * shifted rhs (Dosovitskiy et al. 2015, section 4)."""
    height, width = lhs.shape[2:]
    sides = ((0, 0), (0, 0), (reach, reach), (reach, reach))
    wide = np.pad(rhs, sides)
    steps = range(2 * reach + 1)
    found = [
        (lhs * wide[:, :, y : y + height, x : x + width]).mean(axis=1) for y in steps for x in steps
    ]
    return np.stack(found, 1)


def correlation_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, *, reach: int
) -> tuple[Array, Array]:
    """Return the gradients by both maps: each is multiplied by the other, shifted."""
    channels, height, width = lhs.shape[1:]
    sides = ((0, 0), (0, 0), (reach, reach), (reach, reach))
    wide = np.pad(rhs, sides)
    by_left, by_wide = np.zeros_like(lhs), np.zeros_like(wide)
    for at, (y, x) in enumerate(np.ndindex(2 * reach + 1, 2 * reach + 1)):
        cotangent = cotangents[0][:, at, None] / channels
        part = (slice(None), slice(None), slice(y, y + height), slice(x, x + width))
        by_left += cotangent * wide[part]
        by_wide[part] += cotangent * lhs
    return by_left, by_wide[:, :, reach : reach + height, reach : reach + width]


class Correlation(Declaration):
    """Mean over channels of lhs * rhs, for rhs shifted by up to `reach` pixels."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"reach": 4}
    sizes = {
        size: {"lhs": shape, "rhs": shape, "reach": reach}
        for size, (shape, reach) in {
            "small": ((1, 4, 6, 6), 1),
            "typical": ((1, 96, 28, 64), 4),
            "large": ((4, 256, 48, 64), 8),
            "skewed": ((1, 3, 5, 101), 1),
        }.items()
    }
    reference = correlation
    gradient = correlation_gradient
    dtypes = ("float64", "float32")
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return a map for each shift."""
        self.require_rank("lhs", 4)
        batch, _, height, width = shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        self.require(self.inputs["reach"] >= 1, "reach", "must be at least 1")
        return ((batch, (2 * self.inputs["reach"] + 1) ** 2, height, width),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element and shift."""
        return 2 * prod(self.inputs["lhs"]) * int(self.outputs()[0][1])
