"""Global pooling of (batch, channels, *size) data, and adaptive average pooling of images.

Typical is the last pooling of a known network; skewed is odd and long in one dimension.
"""

from __future__ import annotations

from itertools import repeat
from math import ceil, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.pooling.pooling import (
    CHANNELS,
    avg_pool,
    avg_pool_gradient,
    max_pool,
    max_pool_gradient,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def whole(data: Array) -> dict[str, Any]:
    """Return the attributes of one window over all positions."""
    return {"kernel": data.shape[CHANNELS:], "stride": 1, "padding": 0}


def global_max_pool(data: Array) -> Array:
    """Return the maximum of each channel."""
    return max_pool(data, **whole(data))


def global_max_pool_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Pass each cotangent to the channel's first maximum."""
    return max_pool_gradient(cotangents, data, **whole(data))


def global_avg_pool(data: Array) -> Array:
    """Return the mean of each channel."""
    return avg_pool(data, **whole(data))


def global_avg_pool_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Distribute each cotangent evenly over its channel."""
    return avg_pool_gradient(cotangents, data, **whole(data))


def bins(size: int, count: int, dtype: np.dtype[Any]) -> Array:
    """Return the (count, size) matrix of means over bins, floor(i n / c) to ceil((i + 1) n / c).

    Bins as in He et al. 2015 (spatial pyramid pooling), appendix A; neighbors may overlap.
    """
    matrix = np.zeros((count, size), dtype)
    for i in range(count):
        start, end = i * size // count, ceil((i + 1) * size / count)
        matrix[i, start:end] = 1 / (end - start)
    return matrix


def adaptive_avg_pool(data: Array, *, output_size: Shape) -> Array:
    """Return the mean of each bin of the grid."""
    rows, columns = map(bins, data.shape[CHANNELS:], output_size, repeat(data.dtype))
    return rows @ data @ columns.T


def adaptive_avg_pool_gradient(
    cotangents: Sequence[Array], data: Array, *, output_size: Shape
) -> tuple[Array]:
    """Distribute each cotangent evenly over its bin."""
    rows, columns = map(bins, data.shape[CHANNELS:], output_size, repeat(data.dtype))
    return (rows.T @ cotangents[0] @ columns,)


class GlobalPooling(Declaration, abstract=True):
    """An operator from each channel to one value."""

    tensors = {"data": Tensor()}
    spatial: ClassVar[int]

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with a size of one."""
        self.require_rank("data", self.spatial + CHANNELS)
        return ((*self.inputs["data"][:CHANNELS], *[1] * self.spatial),)


class GlobalMaxPooling(GlobalPooling, abstract=True):
    """The maximum of each channel."""

    reference = global_max_pool
    gradient = global_max_pool_gradient
    dtypes = DTYPES
    flops_per_element = 0  # comparisons are no floating-point operations


class GlobalAvgPooling(GlobalPooling, abstract=True):
    """The mean of each channel."""

    reference = global_avg_pool
    gradient = global_avg_pool_gradient
    tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return one operation per element: additions and a division."""
        return prod(self.inputs["data"])


SEQUENCES = {
    "small": {"data": (1, 8, 512)},
    "typical": {"data": (8, 512, 128)},
    "large": {"data": (64, 512, 512)},
    "skewed": {"data": (1, 3, 100003)},
}
IMAGES = {
    "small": {"data": (1, 64, 8, 8)},
    "typical": {"data": (8, 2048, 7, 7)},
    "large": {"data": (64, 2048, 14, 14)},
    "skewed": {"data": (1, 3, 7, 10007)},
}
"""Typical: the last pooling of ResNet-50, for 8 images."""
VOLUMES = {
    "small": {"data": (1, 8, 4, 4, 4)},
    "typical": {"data": (4, 512, 4, 14, 14)},
    "large": {"data": (16, 2048, 4, 14, 14)},
    "skewed": {"data": (1, 3, 5, 7, 255)},
}
"""Typical: the last pooling of a 3-D ResNet-18, for 4 clips of 32 frames of 224 pixels."""


class GlobalMaxPool1D(GlobalMaxPooling):
    """Global maximum pooling of sequences."""

    spatial = 1
    sizes = SEQUENCES


class GlobalMaxPool2D(GlobalMaxPooling):
    """Global maximum pooling of images."""

    spatial = 2
    sizes = IMAGES


class GlobalAvgPool1D(GlobalAvgPooling):
    """Global average pooling of sequences."""

    spatial = 1
    sizes = SEQUENCES


class GlobalAvgPool2D(GlobalAvgPooling):
    """Global average pooling of images."""

    spatial = 2
    sizes = IMAGES
    tags = ("core",)


class GlobalMaxPool3D(GlobalMaxPooling):
    """Global maximum pooling of volumes."""

    spatial = 3
    sizes = VOLUMES


class GlobalAvgPool3D(GlobalAvgPooling):
    """Global average pooling of volumes."""

    spatial = 3
    sizes = VOLUMES


class AdaptiveAvgPool2D(Declaration):
    """Adaptive average pooling of images: the mean of each bin of a grid of `output_size`.

    Typical is the pooling before VGG-16's classifier, for 4 images of 448 x 448.
    """

    tensors = {"data": Tensor()}
    attributes = {"output_size": (7, 7)}
    sizes = {
        "small": {"data": (1, 8, 16, 16), "output_size": (5, 5)},
        "typical": {"data": (4, 512, 14, 14)},
        "large": {"data": (32, 512, 28, 28)},
        "skewed": {"data": (1, 3, 7, 5003), "output_size": (3, 11)},
    }
    reference = adaptive_avg_pool
    gradient = adaptive_avg_pool_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with the grid's size."""
        self.require_rank("data", 2 + CHANNELS)
        self.require_rank("output_size", 2)
        batch, channels, *size = self.inputs["data"]
        grid = self.inputs["output_size"]
        fits = all(n <= m for n, m in zip(grid, size, strict=True))
        self.require(fits, "output_size", f"must be at most {tuple(size)}, the size of data")
        return ((batch, channels, *grid),)

    def flop_count(self) -> int:
        """Return about one operation per element: additions, and a division per bin."""
        return prod(self.inputs["data"])
