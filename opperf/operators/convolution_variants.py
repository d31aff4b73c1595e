"""Convolutions with one-pixel windows, groups or gaps, and their parts: windows and gradients.

Sizes are chosen as in convolution.py.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operators.absence import ONLY_PYTORCH
from opperf.operators.convolution import (
    Convolution,
    convolve,
    convolve_gradient,
    layer,
    spread,
)
from opperf.operators.windows import Windowed, scatter, windows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensor import Array, Shape

CATEGORY = "convolution"


class PointwiseConv2D(Convolution):
    """A 2-D convolution of single pixels: a matrix product over channels.

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
    """A 2-D convolution of groups of channels by filters of their own.

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
        """Refuse groups that cannot be."""
        filters, found, *_ = self.inputs["weight"]
        self.require(channels % found == 0, "weight", f"must divide {channels} channels by groups")
        groups = channels // found
        self.require(filters % groups == 0, "weight", f"must have a multiple of {groups} filters")


def dilated(weight: Array, dilation: int) -> Array:
    """Return the weight with zeros between its elements."""
    size = [dilation * (k - 1) + 1 for k in weight.shape[2:]]
    result = np.zeros((*weight.shape[:2], *size), weight.dtype)
    result[:, :, ::dilation, ::dilation] = weight
    return result


def convolve_dilated(
    data: Array, weight: Array, bias: Array, *, stride: int, padding: int, dilation: int
) -> Array:
    """Cross-correlate with a weight that has gaps (Yu and Koltun 2016)."""
    return convolve(data, dilated(weight, dilation), bias, stride=stride, padding=padding)


def convolve_dilated_gradient(  # noqa: PLR0913 - tensors and attributes by definition
    seeds: Sequence[Array], data: Array, weight: Array, bias: Array,
    *, stride: int, padding: int, dilation: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Differentiate likewise; what falls into the gaps is no weight's."""
    wide = dilated(weight, dilation)
    by_data, by_weight, by_bias = convolve_gradient(
        seeds, data, wide, bias, stride=stride, padding=padding
    )
    return by_data, by_weight[:, :, ::dilation, ::dilation], by_bias


class DilatedConv2D(Convolution):
    """A 2-D convolution with gaps between the elements of its windows.

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
    reference = staticmethod(convolve_dilated)
    gradient = staticmethod(convolve_dilated_gradient)

    def positions(self, size: Sequence[int], kernel: Shape, name: str) -> list[int]:
        """Return how many windows fit, gaps included."""
        dilation = self.inputs["dilation"]
        self.require(dilation >= 1, "dilation", "must be at least 1")
        return super().positions(size, tuple(dilation * (k - 1) + 1 for k in kernel), name)


def im2col(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return each image's windows as columns."""
    found = windows(data, kernel, stride, padding)
    return found.reshape(len(data), data.shape[1] * prod(kernel), -1)


def im2col_gradient(
    seeds: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Add the windows up where they came from."""
    size = data.shape[2:]
    found = col2im(seeds[0], output_size=size, kernel=kernel, stride=stride, padding=padding)
    return (found,)


class Unfolded(Windowed):
    """An operator between images and the columns of their windows."""

    spatial = 2
    tensors = {"data": Tensor()}

    def columns(self, batch: int, channels: int, size: Sequence[int]) -> Shape:
        """Return the shape of the columns of such images."""
        self.require_rank("kernel", 2)
        kernel = self.inputs["kernel"]
        places = self.positions(size, kernel, "kernel")
        return batch, channels * prod(kernel), prod(places)


UNFOLDING: Mapping[str, tuple[Shape, Shape]] = {
    "small": ((1, 4, 12, 12), (3, 3)),
    "typical": ((4, 64, 56, 56), (3, 3)),
    "large": ((16, 64, 56, 56), (3, 3)),
    "skewed": ((1, 3, 7, 1023), (5, 3)),
}
"""Images and the size of a window: typical is ResNet-50's first stage, for 4 images."""


class Im2Col(Unfolded):
    """The windows of NCHW images as the columns of a matrix each."""

    attributes = {"kernel": (3, 3), "stride": 1, "padding": 1}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": data, "kernel": kernel} for size, (data, kernel) in UNFOLDING.items()
    }
    reference = staticmethod(im2col)
    gradient = staticmethod(im2col_gradient)

    def outputs(self) -> tuple[Shape, ...]:
        """Return images by window elements by positions."""
        self.require_rank("data", 4)
        batch, channels, *size = self.inputs["data"]
        return (self.columns(batch, channels, size),)

    def flop_count(self) -> int:
        """Return none: elements are moved only."""
        return 0


def col2im(data: Array, *, output_size: Shape, kernel: Shape, stride: int, padding: int) -> Array:
    """Add windows up where they lie in the images."""
    places = [(n + 2 * padding - k) // stride + 1 for n, k in zip(output_size, kernel, strict=True)]
    parts = data.reshape(len(data), -1, *kernel, *places)
    return scatter(parts, output_size, stride, padding)


def col2im_gradient(
    seeds: Sequence[Array], data: Array, *, output_size: Shape, kernel: Shape, stride: int,
    padding: int,
) -> tuple[Array]:  # fmt: skip
    """Take the windows of the gradient."""
    del output_size
    return (im2col(seeds[0], kernel=kernel, stride=stride, padding=padding).reshape(data.shape),)


class Col2Im(Unfolded):
    """Images that are the sums of overlapping windows: the gradient of Im2Col."""

    attributes = {"output_size": (56, 56), "kernel": (3, 3), "stride": 1, "padding": 1}
    sizes = {
        size: {
            "data": (n, c * k * m, (h + 3 - k) * (w + 3 - m)),
            "output_size": (h, w),
            "kernel": (k, m),
        }
        for size, ((n, c, h, w), (k, m)) in {
            "small": ((1, 4, 12, 12), (3, 3)),
            "typical": ((4, 64, 56, 56), (3, 3)),
            "large": ((16, 64, 56, 56), (3, 3)),
            "skewed": ((1, 3, 7, 1023), (5, 3)),
        }.items()
    }
    reference = staticmethod(col2im)
    gradient = staticmethod(col2im_gradient)

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of the size asked for."""
        self.require_rank("data", 3)
        self.require_rank("output_size", 2)
        batch, rows, _ = self.inputs["data"]
        self.require_rank("kernel", 2)
        each = prod(self.inputs["kernel"])
        self.require(rows % each == 0, "data", f"must have a multiple of {each} rows")
        size = self.inputs["output_size"]
        expected = self.columns(batch, rows // each, size)
        self.require(self.inputs["data"] == expected, "data", f"must be {expected}")
        return ((batch, rows // each, *size),)

    def flop_count(self) -> int:
        """Return an addition an element of the windows."""
        return prod(self.inputs["data"])


def convolution_data_gradient(seed: Array, weight: Array, *, size: Shape, padding: int) -> Array:
    """Return a convolution's gradient by its data: overlapping windows, added up."""
    return spread(seed, weight, (weight.shape[1], *size), stride=1, padding=padding)


class Conv2DDataGradient(Windowed):
    """The gradient of Conv2D by its data alone, from that by its output."""

    spatial = 2
    tensors = {"seed": Tensor(), "weight": Tensor()}
    attributes = {"size": (56, 56), "padding": 1}
    sizes = {
        "small": {"seed": (1, 8, 16, 16), "weight": (8, 8, 3, 3), "size": (16, 16)},
        "typical": {"seed": (4, 64, 56, 56), "weight": (64, 64, 3, 3)},
        "large": {"seed": (32, 64, 56, 56), "weight": (64, 64, 3, 3)},
        "skewed": {"seed": (1, 17, 5, 1023), "weight": (17, 3, 5, 3), "size": (7, 1023)},
    }
    reference = staticmethod(convolution_data_gradient)
    differentiable = False
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of the size asked for."""
        self.require_rank("seed", 4)
        self.require_rank("weight", 4)
        batch, filters, *places = self.inputs["seed"]
        found, channels, *kernel = self.inputs["weight"]
        self.require(found == filters, "weight", f"must have {filters} filters, as seed has")
        self.require_rank("size", 2)
        size, padding = self.inputs["size"], self.inputs["padding"]
        fits = [n + 2 * padding - k + 1 for n, k in zip(size, kernel, strict=True)]
        self.require(places == fits, "size", f"does not make seed={self.inputs['seed']}")
        return ((batch, channels, *size),)

    def flop_count(self) -> int:
        """Return those of the forward."""
        return 2 * prod(self.inputs["seed"]) * prod(self.inputs["weight"][1:])


def convolution_weight_gradient(data: Array, seed: Array, *, kernel: Shape, padding: int) -> Array:
    """Return a convolution's gradient by its weight: windows times gradients."""
    shape = (seed.shape[1], data.shape[1], *kernel)
    nothing = np.zeros(shape[0])
    _, found, _ = convolve_gradient(
        [seed], data, np.zeros(shape, data.dtype), nothing, stride=1, padding=padding
    )
    return found


class Conv2DWeightGradient(Windowed):
    """The gradient of Conv2D by its weight alone, from data and the gradient by its output."""

    spatial = 2
    tensors = {"data": Tensor(), "seed": Tensor()}
    attributes = {"kernel": (3, 3), "padding": 1}
    sizes = {
        "small": {"data": (1, 8, 16, 16), "seed": (1, 8, 16, 16)},
        "typical": {"data": (4, 64, 56, 56), "seed": (4, 64, 56, 56)},
        "large": {"data": (32, 64, 56, 56), "seed": (32, 64, 56, 56)},
        "skewed": {"data": (1, 3, 7, 1023), "seed": (1, 17, 5, 1023), "kernel": (5, 3)},
    }
    reference = staticmethod(convolution_weight_gradient)
    differentiable = False
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return filters by channels by the kernel."""
        self.require_rank("data", 4)
        self.require_rank("seed", 4)
        self.require_rank("kernel", 2)
        batch, channels, *size = self.inputs["data"]
        filters = self.inputs["seed"][1]
        kernel, padding = self.inputs["kernel"], self.inputs["padding"]
        places = [n + 2 * padding - k + 1 for n, k in zip(size, kernel, strict=True)]
        expected = (batch, filters, *places)
        self.require(self.inputs["seed"] == expected, "seed", f"must be {expected}")
        return ((filters, channels, *kernel),)

    def flop_count(self) -> int:
        """Return those of the forward."""
        return 2 * prod(self.inputs["seed"]) * prod(self.outputs()[0][1:])


class Conv2DChannelsLast(Convolution):
    """Conv2D on data and weight whose channels are last in memory, which saves a reordering."""

    spatial = 2
    sizes = {
        "small": layer((1, 8, 16, 16), 8, (3, 3)),
        "typical": layer((4, 64, 56, 56), 64, (3, 3)),
        "large": layer((32, 64, 56, 56), 64, (3, 3)),
        "skewed": layer((1, 3, 7, 1023), 17, (5, 3)) | {"stride": 2},
    }
    limitations = ONLY_PYTORCH
