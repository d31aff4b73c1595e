"""Maximum and average pooling of (batch, channels, *size) data.

Incomplete windows at the end are left out (rounding down), and an average divides by the whole
window, padding included. Maximum and average take the same shapes. Typical is a layer of a known
network, named beside them; skewed is odd in every dimension and long in one.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.windows import Windowed, scatter, windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape

CHANNELS = 2
"""The axes before the size: batch and channels."""


def window_axes(kernel: Shape) -> tuple[int, ...]:
    """Return the axes of the elements of a window."""
    return tuple(range(CHANNELS, CHANNELS + len(kernel)))


def lowest(data: Array) -> float:
    """Return the padding value of a maximum: the least of the dtype."""
    return -np.inf if data.dtype.kind == "f" else float(np.iinfo(data.dtype).min)


def max_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return the maximum of each window."""
    found = windows(data, kernel, stride, padding, outside=lowest(data))
    result: Array = found.max(axis=window_axes(kernel))
    return result


def max_pool_gradient(
    cotangents: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Pass each cotangent to the window's first maximum."""
    cotangent = cotangents[0]
    found = windows(data, kernel, stride, padding, outside=lowest(data))
    rows = np.moveaxis(found, window_axes(kernel), range(-len(kernel), 0))
    first = np.unravel_index(rows.reshape(*cotangent.shape, -1).argmax(axis=-1), kernel)
    image, channel, *positions = np.indices(cotangent.shape, sparse=True)
    places = [stride * at - padding + offset for at, offset in zip(positions, first, strict=True)]
    flat = np.ravel_multi_index((image, channel, *places), data.shape)
    return (np.bincount(flat.ravel(), cotangent.ravel(), data.size).reshape(data.shape),)


def avg_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return the mean of each window, padding zeros included."""
    result: Array = windows(data, kernel, stride, padding).mean(axis=window_axes(kernel))
    return result


def avg_pool_gradient(
    cotangents: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Distribute each cotangent evenly over its window."""
    shape = (*data.shape[:CHANNELS], *kernel, *cotangents[0].shape[CHANNELS:])
    share = np.expand_dims(cotangents[0] / prod(kernel), window_axes(kernel))
    parts = np.broadcast_to(share, shape)
    return (scatter(parts, data.shape[CHANNELS:], stride, padding),)


class Pooling(Windowed, abstract=True):
    """Pooling over windows in `spatial` dimensions."""

    tensors = {"data": Tensor()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with one position per window."""
        self.require_rank("data", self.spatial + CHANNELS)
        self.require_rank("kernel", self.spatial)
        batch, channels, *size = self.inputs["data"]
        kernel = self.inputs["kernel"]
        positions = self.positions(size, kernel, "kernel")
        half = 2 * self.inputs["padding"] <= min(kernel)
        self.require(half, "padding", f"must be at most half of the kernel {kernel}")
        return ((batch, channels, *positions),)


class MaxPooling(Pooling, abstract=True):
    """The maximum of each window."""

    reference = max_pool
    gradient = max_pool_gradient
    dtypes = DTYPES
    gradient_tolerance = CANCELING_SUMS.because("windows that share a maximum add up")
    flops_per_element = 0  # comparisons are no floating-point operations


class AvgPooling(Pooling, abstract=True):
    """The mean of each window."""

    reference = avg_pool
    gradient = avg_pool_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return one operation per window element: additions and a division."""
        return prod(self.outputs()[0]) * prod(self.inputs["kernel"])


def layer_inputs(data: Shape, kernel: Shape, stride: int, padding: int = 0) -> dict[str, object]:
    """Return the inputs of one layer."""
    return {"data": data, "kernel": kernel, "stride": stride, "padding": padding}


IN_ONE_DIMENSION = {
    "small": layer_inputs((1, 8, 512), (2,), 2),
    "typical": layer_inputs((4, 256, 1008), (3,), 3),
    "large": layer_inputs((32, 256, 1008), (3,), 3),
    "skewed": layer_inputs((1, 3, 100003), (5,), 3, 1),
}
"""Typical: the first pooling of the character-level network of Zhang et al. (2015), for 4 texts."""

IN_TWO_DIMENSIONS = {
    "small": layer_inputs((1, 8, 24, 24), (2, 2), 2),
    "typical": layer_inputs((4, 64, 112, 112), (3, 3), 2, 1),
    "large": layer_inputs((32, 64, 112, 112), (3, 3), 2, 1),
    "skewed": layer_inputs((1, 3, 7, 5003), (3, 5), 2, 1),
}
"""Typical: the pooling of ResNet-50's stem, for 4 images."""

IN_THREE_DIMENSIONS = {
    "small": layer_inputs((1, 4, 8, 8, 8), (2, 2, 2), 2),
    "typical": layer_inputs((1, 64, 16, 56, 56), (2, 2, 2), 2),
    "large": layer_inputs((4, 128, 16, 56, 56), (2, 2, 2), 2),
    "skewed": layer_inputs((1, 3, 5, 7, 255), (3, 3, 5), 2, 1),
}
"""Typical: C3D's second pooling with half its channels, for one clip."""


class MaxPool1D(MaxPooling):
    """Maximum pooling of sequences."""

    spatial = 1
    sizes = IN_ONE_DIMENSION


class MaxPool2D(MaxPooling):
    """Maximum pooling of images."""

    spatial = 2
    sizes = IN_TWO_DIMENSIONS
    tags = ("core",)


class MaxPool3D(MaxPooling):
    """Maximum pooling of volumes."""

    spatial = 3
    sizes = IN_THREE_DIMENSIONS


class AvgPool1D(AvgPooling):
    """Average pooling of sequences."""

    spatial = 1
    sizes = IN_ONE_DIMENSION


class AvgPool2D(AvgPooling):
    """Average pooling of images."""

    spatial = 2
    sizes = IN_TWO_DIMENSIONS
    tags = ("core",)


class AvgPool3D(AvgPooling):
    """Average pooling of volumes."""

    spatial = 3
    sizes = IN_THREE_DIMENSIONS
