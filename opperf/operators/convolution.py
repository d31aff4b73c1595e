"""Convolutions of NCHW data by OIHW weights."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


def columns(image: Array, kernel: tuple[int, ...], stride: int, padding: int) -> Array:
    """Return the windows of one CHW image as a (channels x kernel, positions) matrix."""
    padded = np.pad(image, ((0, 0), (padding, padding), (padding, padding)))
    axes: Any = (1, 2)  # NumPy's stubs know one axis only
    windows = sliding_window_view(padded, kernel, axes)[:, ::stride, ::stride]
    return windows.transpose(0, 3, 4, 1, 2).reshape(image.shape[0] * prod(kernel), -1)


def conv2d(data: Array, weight: Array, bias: Array, *, stride: int, padding: int) -> Array:
    """Cross-correlate, image by image, as a matrix product with its windows."""
    filters, _, *kernel = weight.shape
    matrix = weight.reshape(filters, -1)
    size = [
        (n + 2 * padding - k) // stride + 1 for n, k in zip(data.shape[2:], kernel, strict=True)
    ]
    images = [matrix @ columns(image, tuple(kernel), stride, padding) for image in data]
    result: Array = np.stack(images).reshape(len(data), filters, *size)
    return result + bias[:, None, None]


def conv2d_gradient(
    seeds: Sequence[Array], data: Array, weight: Array, bias: Array, *, stride: int, padding: int
) -> tuple[Array, Array, Array]:
    """Multiply by the transposed matrices of the forward, and add overlapping windows."""
    del bias  # its gradient does not depend on it
    filters, channels, *kernel = weight.shape
    seed = seeds[0]
    by_weight = np.zeros((filters, weight[0].size))
    by_data = []
    for image, gradient in zip(data, seed.reshape(len(data), filters, -1), strict=True):
        by_weight += gradient @ columns(image, tuple(kernel), stride, padding).T
        windows = weight.reshape(filters, -1).T @ gradient
        windows = windows.reshape(channels, *kernel, *seed.shape[2:])
        by_data.append(scatter(windows, image.shape, stride, padding))
    return np.stack(by_data), by_weight.reshape(weight.shape), seed.sum(axis=(0, 2, 3))


def scatter(windows: Array, shape: tuple[int, ...], stride: int, padding: int) -> Array:
    """Add (channels, kernel, positions) windows up where they lie in a CHW image."""
    _, height, width = shape
    image = np.zeros((shape[0], height + 2 * padding, width + 2 * padding))
    rows, cols = (stride * n for n in windows.shape[3:])
    for r, s in np.ndindex(*windows.shape[1:3]):
        image[:, r : r + rows : stride, s : s + cols : stride] += windows[:, r, s]
    return image[:, padding : padding + height, padding : padding + width]


class Conv2D(Operator):
    """A 2-D convolution with bias.

    Typical is a 3 x 3 convolution of ResNet-50's first stage, for 4 images; skewed is odd in every
    dimension and longer than high.
    """

    category = "convolution"
    tensors = {"data": Tensor(), "weight": Tensor(), "bias": Tensor()}
    attributes = {"stride": 1, "padding": 1}
    sizes = {
        "small": {"data": (1, 8, 16, 16), "weight": (8, 8, 3, 3), "bias": (8,)},
        "typical": {"data": (4, 64, 56, 56), "weight": (64, 64, 3, 3), "bias": (64,)},
        "large": {"data": (32, 64, 56, 56), "weight": (64, 64, 3, 3), "bias": (64,)},
        "skewed": {"data": (1, 3, 7, 1023), "weight": (17, 3, 5, 3), "bias": (17,), "stride": 2},
    }
    reference = staticmethod(conv2d)
    gradient = staticmethod(conv2d_gradient)
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return images by filters by positions."""
        self.require_rank("data", 4)
        self.require_rank("weight", 4)
        batch, channels, *size = self.inputs["data"]
        filters, found, *kernel = self.inputs["weight"]
        self.require(found == channels, "weight", f"must have {channels} channels, as data has")
        self.require(self.inputs["bias"] == (filters,), "bias", f"must be ({filters},)")
        self.require(self.inputs["stride"] >= 1, "stride", "must be at least 1")
        self.require(self.inputs["padding"] >= 0, "padding", "must be at least 0")
        stride, padding = self.inputs["stride"], self.inputs["padding"]
        padded = [n + 2 * padding for n in size]
        fits = all(k <= n for k, n in zip(kernel, padded, strict=True))
        self.require(fits, "weight", f"its kernel is larger than the padded data {tuple(padded)}")
        positions = [(n - k) // stride + 1 for n, k in zip(padded, kernel, strict=True)]
        return ((batch, filters, *positions),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition an output element and window element."""
        return 2 * prod(self.outputs()[0]) * prod(self.inputs["weight"][1:])
