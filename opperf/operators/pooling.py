"""Poolings of (batch, channels, *size) data.

Windows that the data's end cuts off are left out (rounding down), and an average divides by the
whole window, padding included: the defaults of MXNet and PyTorch. Maximum and average take the same
shapes. Typical is a layer of a known network, named beside them; skewed is odd in every dimension
and long in one.
"""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator
from opperf.operators.windows import Windowed, scatter, windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

CHANNELS = 2
"""The axes before the size: batch and channels."""


def window_axes(kernel: Shape) -> tuple[int, ...]:
    """Return the axes of the elements of a window."""
    return tuple(range(CHANNELS, CHANNELS + len(kernel)))


def max_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return each window's maximum."""
    found = windows(data, kernel, stride, padding, outside=-np.inf)
    result: Array = found.max(axis=window_axes(kernel))
    return result


def max_pool_gradient(
    seeds: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Hand each gradient to the window's first maximum."""
    found = windows(data, kernel, stride, padding, outside=-np.inf)
    rows = found.reshape(*data.shape[:CHANNELS], prod(kernel), *seeds[0].shape[CHANNELS:])
    first = rows.argmax(axis=CHANNELS, keepdims=True)
    parts = np.zeros(rows.shape)
    np.put_along_axis(parts, first, np.expand_dims(seeds[0], CHANNELS), axis=CHANNELS)
    return (scatter(parts.reshape(found.shape), data.shape[CHANNELS:], stride, padding),)


def avg_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return each window's mean, the padding's zeros counted in."""
    result: Array = windows(data, kernel, stride, padding).mean(axis=window_axes(kernel))
    return result


def avg_pool_gradient(
    seeds: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Share each gradient out evenly."""
    shape = (*data.shape[:CHANNELS], *kernel, *seeds[0].shape[CHANNELS:])
    share = np.expand_dims(seeds[0] / prod(kernel), window_axes(kernel))
    parts = np.broadcast_to(share, shape)
    return (scatter(parts, data.shape[CHANNELS:], stride, padding),)


def whole(data: Array) -> dict[str, object]:
    """Return the attributes that make one window of everything."""
    return {"kernel": data.shape[CHANNELS:], "stride": 1, "padding": 0}


def global_max_pool(data: Array) -> Array:
    """Return each channel's maximum."""
    return max_pool(data, **whole(data))


def global_max_pool_gradient(seeds: Sequence[Array], data: Array) -> tuple[Array]:
    """Hand each gradient to the channel's first maximum."""
    return max_pool_gradient(seeds, data, **whole(data))


def global_avg_pool(data: Array) -> Array:
    """Return each channel's mean."""
    return avg_pool(data, **whole(data))


def global_avg_pool_gradient(seeds: Sequence[Array], data: Array) -> tuple[Array]:
    """Share each gradient out evenly."""
    return avg_pool_gradient(seeds, data, **whole(data))


def bins(size: int, count: int) -> Array:
    """Return the (count, size) matrix of means over bins from floor(i n / c) to ceil((i+1) n / c).

    Bins as in He et al. 2015 (spatial pyramid pooling), appendix A; neighbors may overlap.
    """
    matrix = np.zeros((count, size))
    for i in range(count):
        start, end = i * size // count, ceil((i + 1) * size / count)
        matrix[i, start:end] = 1 / (end - start)
    return matrix


def adaptive_avg_pool(data: Array, *, output_size: Shape) -> Array:
    """Return the mean of each bin of a grid of this size."""
    rows, columns = map(bins, data.shape[CHANNELS:], output_size)
    return rows @ data @ columns.T


def adaptive_avg_pool_gradient(
    seeds: Sequence[Array], data: Array, *, output_size: Shape
) -> tuple[Array]:
    """Share each gradient out over its bin."""
    rows, columns = map(bins, data.shape[CHANNELS:], output_size)
    return (rows.T @ seeds[0] @ columns,)


class Pooling(Windowed):
    """A pooling of windows in `spatial` dimensions."""

    tensors = {"data": Tensor()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape, each axis as long as windows fit."""
        self.require_rank("data", self.spatial + CHANNELS)
        self.require_rank("kernel", self.spatial)
        batch, channels, *size = self.inputs["data"]
        kernel = self.inputs["kernel"]
        positions = self.positions(size, kernel, "kernel")
        half = 2 * self.inputs["padding"] <= min(kernel)
        self.require(half, "padding", f"must be at most half of the kernel {kernel}")
        return ((batch, channels, *positions),)


class MaxPooling(Pooling):
    """The maximum of each window."""

    reference = staticmethod(max_pool)
    gradient = staticmethod(max_pool_gradient)

    def flop_count(self) -> int:
        """Return none: comparisons are no floating-point operations."""
        return 0


class AvgPooling(Pooling):
    """The mean of each window."""

    reference = staticmethod(avg_pool)
    gradient = staticmethod(avg_pool_gradient)

    def flop_count(self) -> int:
        """Return one operation a window element: additions and a division."""
        return prod(self.outputs()[0]) * prod(self.inputs["kernel"])
