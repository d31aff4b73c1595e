"""Adaptive pooling: pooling to a grid of a given size.

Bins are those of AdaptiveAvgPool2D in whole.py; neighbors may overlap.
"""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.pooling.pooling import CHANNELS
from opperf.operators.pooling.whole import bins

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def along(matrix: Array, data: Array, axis: int) -> Array:
    """Multiply an axis by a matrix."""
    return np.moveaxis(np.tensordot(data, matrix, ([axis], [1])), -1, axis)


def averages(data: Array, *, output_size: Shape) -> Array:
    """Return the mean of each bin."""
    for axis, count in enumerate(output_size, CHANNELS):
        data = along(bins(data.shape[axis], count, data.dtype), data, axis)
    return data


def averages_gradient(
    cotangents: Sequence[Array], data: Array, *, output_size: Shape
) -> tuple[Array]:
    """Distribute each cotangent evenly over its bin."""
    found = cotangents[0]
    for axis, count in enumerate(output_size, CHANNELS):
        found = along(bins(data.shape[axis], count, data.dtype).T, found, axis)
    return (found,)


def maxima(data: Array, *, output_size: Shape) -> Array:
    """Return the maximum of each bin."""
    for axis, count in enumerate(output_size, CHANNELS):
        size = data.shape[axis]
        parts = [
            np.take(data, range(i * size // count, ceil((i + 1) * size / count)), axis).max(axis)
            for i in range(count)
        ]
        data = np.stack(parts, axis)
    return data


def maxima_gradient(
    cotangents: Sequence[Array], data: Array, *, output_size: Shape
) -> tuple[Array]:
    """Pass each cotangent to the bin's maximum; ties are rare."""
    found = maxima(data, output_size=output_size)
    result = np.zeros_like(data)
    for place in np.ndindex(*output_size):
        cut = tuple(
            slice(i * n // m, ceil((i + 1) * n / m))
            for i, n, m in zip(place, data.shape[CHANNELS:], output_size, strict=True)
        )
        at: Any = (..., *place)
        part: Any = (..., *cut)
        top = found[at].reshape(*found.shape[:CHANNELS], *[1] * len(place))
        cotangent = cotangents[0][at].reshape(top.shape)
        equal = data[part] == top
        first = np.cumsum(equal.reshape(*top.shape[:CHANNELS], -1), -1).reshape(equal.shape) == 1
        result[part] += np.where(equal & first, cotangent, 0)
    return (result,)


class AdaptivePooling(Declaration, abstract=True):
    """A pooling over each bin of a grid of `output_size`."""

    tensors = {"data": Tensor()}
    spatial: ClassVar[int]

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with the grid's size."""
        self.require_rank("data", self.spatial + CHANNELS)
        self.require_rank("output_size", self.spatial)
        batch, channels, *size = self.inputs["data"]
        grid = self.inputs["output_size"]
        fits = all(n <= m for n, m in zip(grid, size, strict=True))
        self.require(fits, "output_size", f"must be at most {tuple(size)}, the size of data")
        return ((batch, channels, *grid),)


class AdaptiveAverage(AdaptivePooling, abstract=True):
    """The mean of each bin."""

    reference = averages
    gradient = averages_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return about one operation per element: additions, and a division per bin."""
        return prod(self.inputs["data"])


class AdaptiveMaximum(AdaptivePooling, abstract=True):
    """The maximum of each bin."""

    reference = maxima
    gradient = maxima_gradient
    flops_per_element = 0  # comparisons are no floating-point operations


IN_ONE: Mapping[str, Mapping[str, object]] = {
    "small": {"data": (1, 8, 64), "output_size": (5,)},
    "typical": {"data": (8, 512, 128), "output_size": (7,)},
    "large": {"data": (64, 512, 512), "output_size": (7,)},
    "skewed": {"data": (1, 3, 10007), "output_size": (11,)},
}

IN_TWO: Mapping[str, Mapping[str, object]] = {
    "small": {"data": (1, 8, 16, 16), "output_size": (5, 5)},
    "typical": {"data": (4, 512, 14, 14), "output_size": (7, 7)},
    "large": {"data": (32, 512, 28, 28), "output_size": (7, 7)},
    "skewed": {"data": (1, 3, 7, 5003), "output_size": (3, 11)},
}

IN_THREE: Mapping[str, Mapping[str, object]] = {
    "small": {"data": (1, 4, 6, 6, 6), "output_size": (3, 2, 2)},
    "typical": {"data": (1, 512, 4, 14, 14), "output_size": (1, 7, 7)},
    "large": {"data": (8, 512, 4, 28, 28), "output_size": (1, 7, 7)},
    "skewed": {"data": (1, 3, 5, 7, 255), "output_size": (2, 3, 11)},
}


class AdaptiveAvgPool1D(AdaptiveAverage):
    """Adaptive average pooling of sequences."""

    spatial = 1
    attributes = {"output_size": (7,)}
    sizes = IN_ONE


class AdaptiveAvgPool3D(AdaptiveAverage):
    """Adaptive average pooling of volumes."""

    spatial = 3
    attributes = {"output_size": (1, 7, 7)}
    sizes = IN_THREE


class AdaptiveMaxPool1D(AdaptiveMaximum):
    """Adaptive maximum pooling of sequences."""

    spatial = 1
    attributes = {"output_size": (7,)}
    sizes = IN_ONE


class AdaptiveMaxPool2D(AdaptiveMaximum):
    """Adaptive maximum pooling of images."""

    spatial = 2
    attributes = {"output_size": (7, 7)}
    sizes = IN_TWO


class AdaptiveMaxPool3D(AdaptiveMaximum):
    """Adaptive maximum pooling of volumes."""

    spatial = 3
    attributes = {"output_size": (1, 7, 7)}
    sizes = IN_THREE
