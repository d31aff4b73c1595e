"""Transposed convolutions of (batch, channels, *size) data by (channels, filters, *kernel) weights.

Sizes are chosen as in convolution.py.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.windows import Windowed
from opperf.operators.convolution.convolution import (
    convolve,
    convolve_data_gradient,
    convolve_gradient,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def transposed_size(size: Sequence[int], kernel: Sequence[int], stride: int, padding: int) -> Shape:
    """Return the size of a transposed convolution's output."""
    pairs = zip(size, kernel, strict=True)
    return tuple(stride * (n - 1) + k - 2 * padding for n, k in pairs)


def deconvolve(data: Array, weight: Array, bias: Array, *, stride: int, padding: int) -> Array:
    """Return conv_transpose(data, weight) + bias: the gradient of a convolution by its data."""
    size = transposed_size(data.shape[2:], weight.shape[2:], stride, padding)
    shape = (weight.shape[1], *size)
    result = convolve_data_gradient(data, weight, shape, stride=stride, padding=padding)
    return result + bias.reshape(-1, *[1] * len(size))


def deconvolve_gradient(
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
    cotangent, window = cotangents[0], {"stride": stride, "padding": padding}
    nothing = np.zeros(len(weight))
    by_data = convolve(cotangent, weight, nothing, **window)
    _, by_weight, _ = convolve_gradient([data], cotangent, weight, nothing, **window)
    return by_data, by_weight, cotangent.sum(axis=(0, *range(2, cotangent.ndim)))


class TransposedConvolution(Windowed, abstract=True):
    """conv_transpose(data, weight) + bias in `spatial` dimensions."""

    tensors = {"data": Tensor(), "weight": Tensor(), "bias": Tensor()}
    attributes = {"stride": 2, "padding": 1}
    reference = deconvolve
    gradient = deconvolve_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, filters, *size), with the size of `transposed_size`."""
        self.require_rank("data", self.spatial + 2)
        self.require_rank("weight", self.spatial + 2)
        batch, channels, *size = self.inputs["data"]
        found, filters, *kernel = self.inputs["weight"]
        self.require(found == channels, "weight", f"must have {channels} channels, as data has")
        self.require(self.inputs["bias"] == (filters,), "bias", f"must be ({filters},)")
        self.check_sliding()
        result = transposed_size(size, kernel, self.inputs["stride"], self.inputs["padding"])
        self.require(min(result) >= 1, "padding", f"leaves an output of size {result}")
        return ((batch, filters, *result),)

    def flop_count(self) -> int:
        """Return 2 FLOP an input element and window element."""
        return 2 * prod(self.inputs["data"]) * prod(self.inputs["weight"][1:])


def layer(data: Shape, filters: int, kernel: Shape) -> dict[str, object]:
    """Return the shapes of one layer."""
    return {"data": data, "weight": (data[1], filters, *kernel), "bias": (filters,)}


class Conv1DTranspose(TransposedConvolution):
    """1-D transposed convolution with bias.

    Typical is HiFi-GAN's first upsampling (V1), for 2 training segments of 32 frames.
    """

    spatial = 1
    sizes = {
        "small": layer((1, 8, 128), 8, (4,)),
        "typical": layer((2, 512, 32), 256, (16,)) | {"stride": 8, "padding": 4},
        "large": layer((16, 512, 32), 256, (16,)) | {"stride": 8, "padding": 4},
        "skewed": layer((1, 17, 5003), 3, (5,)),
    }


class Conv2DTranspose(TransposedConvolution):
    """2-D transposed convolution with bias.

    Typical is the second upsampling of DCGAN's generator (64 features), for 4 images.
    """

    spatial = 2
    sizes = {
        "small": layer((1, 8, 8, 8), 8, (4, 4)),
        "typical": layer((4, 256, 8, 8), 128, (4, 4)),
        "large": layer((32, 256, 8, 8), 128, (4, 4)),
        "skewed": layer((1, 17, 5, 511), 3, (3, 5)),
    }


class Conv3DTranspose(TransposedConvolution):
    """3-D transposed convolution with bias.

    Typical is the first upsampling of 3D-GAN's generator (Wu et al. 2016), for one object.
    """

    spatial = 3
    sizes = {
        "small": layer((1, 4, 4, 4, 4), 4, (4, 4, 4)),
        "typical": layer((1, 512, 4, 4, 4), 256, (4, 4, 4)),
        "large": layer((8, 512, 4, 4, 4), 256, (4, 4, 4)),
        "skewed": layer((1, 5, 3, 5, 127), 3, (3, 5, 3)),
    }
