"""Convolutions with a bias or an activation function, fused and unfused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import part_of
from opperf.operators.activation.activation import Sigmoid, Swish
from opperf.operators.activation.piecewise import HardSwish, ReLU6
from opperf.operators.activation.rectifier import ReLU
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.convolution.convolution import (
    Conv2D,
    conv2d,
    conv2d_gradient,
    layer,
)
from opperf.operators.convolution.variants import PointwiseConv2D, UnbiasedConv2D
from opperf.operators.fused.fused import WithActivation, far_from_zero, weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


class ConvReLU(WithActivation, Conv2D):
    """ReLU(conv(data, weight) + bias)."""

    last = ReLU
    tags = ("core",)

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors, with a bias that decides the sign of every sum."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["weight"])}


class ConvSigmoid(WithActivation, Conv2D):
    """sigmoid(conv(data, weight) + bias).

    Typical is the end of RetinaNet's classification, 80 classes of 9 anchors, on the second
    coarsest level of an image of 800 pixels.
    """

    last = Sigmoid
    tensors = {**Conv2D.tensors, "weight": weights()}
    sizes = {
        "small": layer((1, 8, 16, 16), 9, (3, 3)),
        "typical": layer((1, 256, 13, 13), 720, (3, 3)),
        "large": layer((8, 256, 13, 13), 720, (3, 3)),
        "skewed": layer((1, 3, 7, 1023), 17, (5, 3)) | {"stride": 2},
    }


def between_kinks(kink: float) -> dict[str, Tensor]:
    """Return weight and bias for an activation with kinks at `kink` and `kink` + 6, away from both.

    The bias puts a third of the units each below, between and above, each 3 from the nearest kink:
    about nine standard deviations of the sums.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del random, low, high
        return kink + 6.0 * (np.arange(shape[0]) % 3) - 3

    return {"weight": weights(1 / 3), "bias": Tensor(initializer=draw)}


class ConvReLU6(WithActivation, PointwiseConv2D):
    """ReLU6(conv(data, weight) + bias), with 1 x 1 windows.

    Typical widens a block of MobileNetV2 from 96 to 576 channels, for 8 images.
    """

    last = ReLU6
    tensors = {**PointwiseConv2D.tensors, **between_kinks(0)}
    sizes = {
        "small": layer((1, 16, 16, 16), 16, (1, 1)),
        "typical": layer((8, 96, 14, 14), 576, (1, 1)),
        "large": layer((64, 96, 14, 14), 576, (1, 1)),
        "skewed": layer((1, 3, 7, 1023), 19, (1, 1)),
    }


class ConvSiLU(WithActivation, PointwiseConv2D):
    """SiLU(conv(data, weight) + bias), with 1 x 1 windows.

    Typical widens a block of EfficientNet-B0 from 80 to 480 channels, for 8 images.
    """

    last = Swish
    tensors = {**PointwiseConv2D.tensors, "weight": weights()}
    sizes = {
        "small": layer((1, 16, 8, 8), 32, (1, 1)),
        "typical": layer((8, 80, 14, 14), 480, (1, 1)),
        "large": layer((64, 80, 14, 14), 480, (1, 1)),
        "skewed": layer((1, 3, 7, 1023), 18, (1, 1)),
    }


class ConvHardSwish(WithActivation, PointwiseConv2D):
    """hard_swish(conv(data, weight) + bias), with 1 x 1 windows.

    Typical widens a block of MobileNetV3-Large from 80 to 480 channels, for 8 images.
    """

    last = HardSwish
    tensors = {**PointwiseConv2D.tensors, **between_kinks(-3)}
    sizes = ConvSiLU.sizes


def convolve_with_bias(
    data: Array, weight: Array, bias: Array, *, stride: int, padding: int
) -> Array:
    """Return conv(data, weight) + bias, with a bias of shape (filters, 1, 1)."""
    return conv2d(data, weight, bias, stride=stride, padding=padding)


def convolve_with_bias_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array, **window: int
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, weight and bias."""
    by_data, by_weight, by_bias = conv2d_gradient(cotangents, data, weight, bias, **window)
    return by_data, by_weight, by_bias.reshape(bias.shape)


def broadcast_bias_layer(data: Shape, filters: int, kernel: Shape) -> dict[str, object]:
    """Return the shapes of a layer whose bias broadcasts over its result."""
    return {**layer(data, filters, kernel), "bias": (filters, 1, 1)}


class ConvBias(Conv2D):
    """conv(data, weight) + bias: by one call, or by a convolution and an addition.

    The bias has the shape (filters, 1, 1), in which it broadcasts. Typical is a layer of VGG-16's
    last stage, for one image.
    """

    fusable = True
    tags = ()
    sizes = {
        "small": broadcast_bias_layer((1, 8, 14, 14), 8, (3, 3)),
        "typical": broadcast_bias_layer((1, 512, 14, 14), 512, (3, 3)),
        "large": broadcast_bias_layer((8, 512, 14, 14), 512, (3, 3)),
        "skewed": broadcast_bias_layer((1, 3, 5, 1023), 17, (5, 3)) | {"stride": 2},
    }
    reference: ClassVar[Any] = convolve_with_bias
    gradient: ClassVar[Any] = convolve_with_bias_gradient

    def bias_shape(self, filters: int) -> Shape:
        """Return the shape of a bias that broadcasts over images."""
        return (filters, 1, 1)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the convolution without bias, and the sum."""
        names = (*UnbiasedConv2D.tensors, *UnbiasedConv2D.attributes)
        convolution = part_of(self, UnbiasedConv2D, **{name: self.inputs[name] for name in names})
        return convolution, part_of(self, Add, lhs=self.outputs()[0], rhs=self.inputs["bias"])
