"""Pointwise, grouped, dilated and bias-free convolutions, and one in NHWC memory layout.

Sizes are chosen as in convolution.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import CHANNELS_LAST, Tensor
from opperf.declaring.layouts import WithChannelsLast
from opperf.operators.convolution.convolution import (
    Conv2D,
    Convolution,
    convolve,
    convolve_gradient,
    layer,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


class PointwiseConv2D(Convolution):
    """1 x 1 convolution with bias: a matrix product over channels.

    Typical widens ResNet-50's first bottleneck from 64 to 256 channels, for 4 images.
    """

    spatial = 2
    attributes = {"stride": 1, "padding": 0}
    sizes = {
        "small": layer((1, 16, 8, 8), 16, (1, 1)),
        "typical": layer((4, 64, 56, 56), 256, (1, 1)),
        "large": layer((32, 64, 56, 56), 256, (1, 1)),
        "skewed": layer((1, 3, 7, 1023), 17, (1, 1)),
    }


class GroupedConv2D(Convolution):
    """Grouped 2-D convolution with bias: each group has filters of its own.

    Typical is ResNeXt-50's first stage, 32 groups of 4 channels, for 4 images.
    """

    spatial = 2
    sizes = {
        "small": layer((1, 8, 8, 8), 8, (3, 3), groups=2),
        "typical": layer((4, 128, 56, 56), 128, (3, 3), groups=32),
        "large": layer((32, 128, 56, 56), 128, (3, 3), groups=32),
        "skewed": layer((1, 6, 7, 1023), 9, (5, 3), groups=3) | {"stride": 2},
    }

    def check_channels(self, channels: int) -> None:
        """Refuse channels or filters that the groups do not divide."""
        filters, found, *_ = self.inputs["weight"]
        self.require(channels % found == 0, "weight", f"must divide {channels} channels by groups")
        groups = channels // found
        self.require(filters % groups == 0, "weight", f"must have a multiple of {groups} filters")


def dilate(weight: Array, dilation: int) -> Array:
    """Return the weight with dilation - 1 zeros between its elements."""
    size = [dilation * (k - 1) + 1 for k in weight.shape[2:]]
    result = np.zeros((*weight.shape[:2], *size), weight.dtype)
    result[:, :, ::dilation, ::dilation] = weight
    return result


def convolve_dilated(
    data: Array, weight: Array, bias: Array, *, stride: int, padding: int, dilation: int
) -> Array:
    """Return conv(data, dilated weight) + bias (Yu and Koltun 2016)."""
    return convolve(data, dilate(weight, dilation), bias, stride=stride, padding=padding)


def convolve_dilated_gradient(  # noqa: PLR0913 - tensors and attributes by definition
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array,
    *, stride: int, padding: int, dilation: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return the gradients by data, weight and bias; the zeros between the elements have none."""
    wide = dilate(weight, dilation)
    by_data, by_weight, by_bias = convolve_gradient(
        cotangents, data, wide, bias, stride=stride, padding=padding
    )
    return by_data, by_weight[:, :, ::dilation, ::dilation], by_bias


class DilatedConv2D(Convolution):
    """Dilated 2-D convolution with bias.

    Typical is the last stage of DeepLab's ResNet-50 at a 16th of the resolution, for one image.
    """

    spatial = 2
    attributes = {"stride": 1, "padding": 2, "dilation": 2}
    sizes = {
        "small": layer((1, 8, 12, 12), 8, (3, 3)),
        "typical": layer((1, 512, 33, 33), 512, (3, 3)),
        "large": layer((8, 512, 33, 33), 512, (3, 3)),
        "skewed": layer((1, 3, 9, 1023), 17, (3, 3)) | {"dilation": 3, "padding": 3},
    }
    reference = convolve_dilated
    gradient = convolve_dilated_gradient

    def positions(self, size: Sequence[int], kernel: Shape, name: str) -> list[int]:
        """Return the number of dilated windows along each axis."""
        dilation = self.inputs["dilation"]
        self.require(dilation >= 1, "dilation", "must be at least 1")
        return super().positions(size, tuple(dilation * (k - 1) + 1 for k in kernel), name)


def unbiased_layer(data: Shape, filters: int, kernel: Shape) -> dict[str, object]:
    """Return the shapes of one layer without bias."""
    return {"data": data, "weight": (filters, data[1], *kernel)}


def convolve_unbiased(data: Array, weight: Array, *, stride: int, padding: int) -> Array:
    """Return conv(data, weight)."""
    return convolve(data, weight, np.zeros(len(weight), data.dtype), stride=stride, padding=padding)


def convolve_unbiased_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, **window: int
) -> tuple[Array, Array]:
    """Return the gradients by data and weight."""
    by_data, by_weight, _ = convolve_gradient(cotangents, data, weight, np.zeros(1), **window)
    return by_data, by_weight


class UnbiasedConv2D(Convolution):
    """2-D convolution without bias, as before a batch normalization.

    Typical is a 3 x 3 convolution of ResNet-50's last stage, for 4 images.
    """

    spatial = 2
    tensors = {"data": Tensor(), "weight": Tensor()}
    sizes = {
        "small": unbiased_layer((1, 8, 8, 8), 8, (3, 3)),
        "typical": unbiased_layer((4, 512, 7, 7), 512, (3, 3)),
        "large": unbiased_layer((32, 512, 7, 7), 512, (3, 3)),
        "skewed": unbiased_layer((1, 3, 7, 1021), 17, (5, 3)) | {"stride": 2},
    }
    reference = convolve_unbiased
    gradient = convolve_unbiased_gradient


class Conv2DChannelsLast(WithChannelsLast, Conv2D):
    """2-D convolution with bias, data and weight in channels-last memory layout."""

    layouts = dict.fromkeys(("data", "weight"), CHANNELS_LAST)
