"""Convolutions of (batch, channels, *size) data by (filters, channels, *kernel) weights.

Fewer channels in the weight than in the data make as many groups, each with its own filters.
Small is mostly dispatch; typical is a layer of a known network, for few enough images that forward
and backward take some 10 ms; large takes eight times the images; skewed is odd in every dimension
and long in one.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.windows import Windowed, count_positions, scatter, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def columns(image: Array, weight: Array, stride: int, padding: int) -> Array:
    """Return an image's windows as (groups, channels * kernel, positions)."""
    groups = len(image) // weight.shape[1]
    found = windows(image, weight.shape[2:], stride, padding)
    return found.reshape(groups, weight[0].size, -1)


def group_matrices(weight: Array, channels: int) -> Array:
    """Return the weight as (groups, filters, channels * kernel)."""
    return weight.reshape(channels // weight.shape[1], -1, weight[0].size)


def convolve(data: Array, weight: Array, bias: Array, *, stride: int, padding: int) -> Array:
    """Return conv(data, weight) + bias.

    A cross-correlation in any number of dimensions, image by image as a matrix product with its
    windows (Chellapilla et al. 2006, section 2.2).
    """
    size = count_positions(data.shape[2:], weight.shape[2:], stride, padding)
    matrix = group_matrices(weight, data.shape[1])
    images = [matrix @ columns(image, weight, stride, padding) for image in data]
    result: Array = np.stack(images).reshape(len(data), len(weight), *size)
    return result + bias.reshape(-1, *[1] * len(size))


def convolve_gradient(
    cotangents: Sequence[Array],
    data: Array,
    weight: Array,
    bias: Array,
    *,
    stride: int,
    padding: int,
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, weight and bias."""
    del bias  # its gradient does not depend on it
    cotangent = cotangents[0]
    by_weight = np.zeros_like(group_matrices(weight, data.shape[1]))
    for image, gradient in zip(data, cotangent, strict=True):
        found = columns(image, weight, stride, padding)
        by_weight += gradient.reshape(len(found), -1, found.shape[-1]) @ found.swapaxes(1, 2)
    by_data = convolve_data_gradient(
        cotangent, weight, data.shape[1:], stride=stride, padding=padding
    )
    return (
        by_data,
        by_weight.reshape(weight.shape),
        cotangent.sum(axis=(0, *range(2, cotangent.ndim))),
    )


def convolve_data_gradient(
    cotangent: Array, weight: Array, shape: Sequence[int], *, stride: int, padding: int
) -> Array:
    """Return the gradient by data of this shape: a transposed convolution."""
    channels, *size = shape
    matrix = group_matrices(weight, channels).swapaxes(1, 2)
    images = []
    for gradient in cotangent:
        parts = matrix @ gradient.reshape(len(matrix), -1, prod(cotangent.shape[2:]))
        parts = parts.reshape(channels, *weight.shape[2:], *cotangent.shape[2:])
        images.append(scatter(parts, size, stride, padding))
    return np.stack(images)


conv2d, conv2d_gradient = convolve, convolve_gradient


class Convolution(Windowed, abstract=True):
    """conv(data, weight) + bias in `spatial` dimensions."""

    tensors = {"data": Tensor(), "weight": Tensor(), "bias": Tensor()}
    attributes = {"stride": 1, "padding": 1}
    reference: ClassVar[Callable[..., Any]] = convolve
    gradient: ClassVar[Callable[..., Any] | None] = convolve_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, filters, *positions)."""
        self.require_rank("data", self.spatial + 2)
        self.require_rank("weight", self.spatial + 2)
        batch, channels, *size = self.inputs["data"]
        filters, _, *kernel = self.inputs["weight"]
        self.check_channels(channels)
        if "bias" in self.tensors:
            expected = self.bias_shape(filters)
            self.require(self.inputs["bias"] == expected, "bias", f"must be {expected}")
        return ((batch, filters, *self.positions(size, tuple(kernel), "weight")),)

    def bias_shape(self, filters: int) -> Shape:
        """Return the shape of the bias of this many filters."""
        return (filters,)

    def check_channels(self, channels: int) -> None:
        """Refuse a weight with a number of channels other than the data's."""
        fits = self.inputs["weight"][1] == channels
        self.require(fits, "weight", f"must have {channels} channels, as data has")

    def flop_count(self) -> int:
        """Return 2 FLOP an output element and window element."""
        return 2 * prod(self.outputs()[0]) * prod(self.inputs["weight"][1:])


def layer(data: Shape, filters: int, kernel: Shape, *, groups: int = 1) -> dict[str, object]:
    """Return the shapes of one layer."""
    return {"data": data, "weight": (filters, data[1] // groups, *kernel), "bias": (filters,)}


class Conv1D(Convolution):
    """1-D convolution with bias.

    Typical is the third layer of the character-level network of Zhang et al. (2015), for 4 texts.
    """

    spatial = 1
    sizes = {
        "small": layer((1, 8, 256), 8, (3,)),
        "typical": layer((4, 256, 110), 256, (3,)) | {"padding": 0},
        "large": layer((32, 256, 110), 256, (3,)) | {"padding": 0},
        "skewed": layer((1, 3, 10007), 17, (5,)) | {"stride": 2},
    }


class Conv2D(Convolution):
    """2-D convolution with bias.

    Typical is a 3 x 3 convolution of ResNet-50's first stage, for 4 images.
    """

    spatial = 2
    sizes = {
        "small": layer((1, 8, 16, 16), 8, (3, 3)),
        "typical": layer((4, 64, 56, 56), 64, (3, 3)),
        "large": layer((32, 64, 56, 56), 64, (3, 3)),
        "skewed": layer((1, 3, 7, 1023), 17, (5, 3)) | {"stride": 2},
    }
    tags: ClassVar[tuple[str, ...]] = ("core",)


class Conv3D(Convolution):
    """3-D convolution with bias.

    Typical is VoxNet's second layer, for 4 objects.
    """

    spatial = 3
    sizes = {
        "small": layer((1, 4, 8, 8, 8), 4, (3, 3, 3)),
        "typical": layer((4, 32, 14, 14, 14), 32, (3, 3, 3)) | {"padding": 0},
        "large": layer((32, 32, 14, 14, 14), 32, (3, 3, 3)) | {"padding": 0},
        "skewed": layer((1, 3, 5, 7, 255), 5, (3, 5, 3)) | {"stride": 2},
    }


class DepthwiseConv2D(Convolution):
    """Depthwise 2-D convolution with bias: each channel has filters of its own.

    Typical is MobileNet's layer of 512 channels, for 8 images; skewed has 3 filters a channel.
    """

    spatial = 2
    sizes = {
        "small": layer((1, 16, 16, 16), 16, (3, 3), groups=16),
        "typical": layer((8, 512, 14, 14), 512, (3, 3), groups=512),
        "large": layer((64, 512, 14, 14), 512, (3, 3), groups=512),
        "skewed": layer((1, 17, 7, 1023), 51, (5, 3), groups=17) | {"stride": 2},
    }
    tags = ("core",)

    def check_channels(self, channels: int) -> None:
        """Refuse filters of several channels, or a number that channels do not divide."""
        filters, found, *_ = self.inputs["weight"]
        self.require(found == 1, "weight", "must have 1 channel")
        fits = filters % channels == 0
        self.require(fits, "weight", f"must have a multiple of {channels} filters, data's channels")
