"""Convolutions with what follows them in the blocks of ResNet and MobileNet, fused and unfused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import part_of
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.convolution.convolution import (
    Conv2D,
    Convolution,
    DepthwiseConv2D,
    conv2d,
    conv2d_gradient,
    layer,
)
from opperf.operators.convolution.variants import PointwiseConv2D
from opperf.operators.fused.fused import (
    convolution_of,
    far_from_zero,
    relu_after,
    relu_gradient_of,
    relu_of,
    weights,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def conv_add(
    data: Array, weight: Array, bias: Array, residual: Array, *, stride: int, padding: int
) -> Array:
    """Return conv(data, weight) + bias + residual."""
    return conv2d(data, weight, bias, stride=stride, padding=padding) + residual


def conv_add_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array, residual: Array,
    **window: int,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Return the gradients by data, weight, bias and residual."""
    del residual  # its gradient does not depend on it
    return *conv2d_gradient(cotangents, data, weight, bias, **window), cotangents[0]


def block_end(data: Shape, filters: int, kernel: Shape, **window: int) -> dict[str, object]:
    """Return the shapes of a layer and of the residual that is added to its result."""
    residual = {"residual": (data[0], filters, *data[2:])}
    return {**layer(data, filters, kernel), **residual, **window}


class ConvAddReLU(Conv2D):
    """ReLU(conv(data, weight) + bias + residual).

    Typical ends a bottleneck of ResNet-50's first stage, for 4 images.
    """

    fusable = True
    tags = ()
    tensors = {**Conv2D.tensors, "residual": Tensor()}
    sizes = {
        "small": block_end((1, 8, 16, 16), 8, (3, 3)),
        "typical": block_end((4, 64, 56, 56), 256, (1, 1), padding=0),
        "large": block_end((32, 64, 56, 56), 256, (1, 1), padding=0),
        "skewed": block_end((1, 3, 7, 1023), 17, (3, 3)),
    }
    reference: ClassVar[Any] = relu_of(conv_add)
    gradient: ClassVar[Any] = relu_gradient_of(conv_add, conv_add_gradient)

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors, with a bias that decides the sign of every sum."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["weight"])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, filters, *positions)."""
        shapes = super().outputs()
        fits = self.inputs["residual"] == shapes[0]
        self.require(fits, "residual", f"must be {shapes[0]}, the convolution's result")
        return shapes

    def parts(self) -> tuple[Declaration, ...]:
        """Return the convolution, the sum and the ReLU."""
        residual = self.inputs["residual"]
        total = part_of(self, Add, lhs=residual, rhs=residual)
        return convolution_of(self), total, relu_after(self)


ONE_PIXEL = {"stride": 1, "padding": 0}


def pointwise_depthwise(  # noqa: PLR0913 - tensors and attributes by definition
    data: Array, weight: Array, bias: Array, depthwise_weight: Array, depthwise_bias: Array,
    *, stride: int, padding: int,
) -> Array:  # fmt: skip
    """Return a depthwise convolution of a 1 x 1 convolution, both with bias."""
    wide = conv2d(data, weight, bias, **ONE_PIXEL)
    return conv2d(wide, depthwise_weight, depthwise_bias, stride=stride, padding=padding)


def pointwise_depthwise_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array, depthwise_weight: Array,
    depthwise_bias: Array, **window: int,
) -> tuple[Array, ...]:  # fmt: skip
    """Return the gradients by data and by weight and bias of both convolutions."""
    wide = conv2d(data, weight, bias, **ONE_PIXEL)
    by_wide, *second = conv2d_gradient(cotangents, wide, depthwise_weight, depthwise_bias, **window)
    return *conv2d_gradient([by_wide], data, weight, bias, **ONE_PIXEL), *second


def pointwise_depthwise_layer(
    data: Shape, channels: int, kernel: Shape, **window: int
) -> dict[str, object]:
    """Return the shapes of a 1 x 1 convolution and of the depthwise one that follows it."""
    depthwise = layer((data[0], channels, *data[2:]), channels, kernel, groups=channels)
    after = {f"depthwise_{name}": depthwise[name] for name in ("weight", "bias")}
    return {**layer(data, channels, (1, 1)), **after, **window}


class PointwiseDepthwiseConv2D(Convolution):
    """1 x 1 convolution, then a depthwise convolution, both with bias.

    Typical begins a block of MobileNetV2, from 96 to 576 channels, for 8 images.
    """

    spatial = 2
    fusable = True
    tensors = {
        "data": Tensor(),
        "weight": weights(),
        "bias": Tensor(),
        "depthwise_weight": weights(),
        "depthwise_bias": Tensor(),
    }
    sizes = {
        "small": pointwise_depthwise_layer((1, 8, 16, 16), 16, (3, 3)),
        "typical": pointwise_depthwise_layer((8, 96, 14, 14), 576, (3, 3)),
        "large": pointwise_depthwise_layer((64, 96, 14, 14), 576, (3, 3)),
        "skewed": pointwise_depthwise_layer((1, 3, 7, 1023), 17, (5, 3), stride=2),
    }
    reference: ClassVar[Any] = pointwise_depthwise
    gradient: ClassVar[Any] = pointwise_depthwise_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, filters, *positions)."""
        for name in ("data", "weight", "depthwise_weight"):
            self.require_rank(name, 4)
        batch, channels, *size = self.inputs["data"]
        filters, _, *pixel = self.inputs["weight"]
        *depth, height, width = self.inputs["depthwise_weight"]
        self.check_channels(channels)
        self.require(pixel == [1, 1], "weight", "must have windows of one pixel")
        rule = f"must have {filters} filters of 1 channel, one for each result of weight"
        self.require(depth == [filters, 1], "depthwise_weight", rule)
        for name in ("bias", "depthwise_bias"):
            self.require(self.inputs[name] == (filters,), name, f"must be ({filters},)")
        return ((batch, filters, *self.positions(size, (height, width), "depthwise_weight")),)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the two convolutions."""
        first = {name: self.inputs[name] for name in PointwiseConv2D.tensors}
        wide = part_of(self, PointwiseConv2D, **first, **ONE_PIXEL)
        second = {name: self.inputs[f"depthwise_{name}"] for name in ("weight", "bias")}
        second |= {name: self.inputs[name] for name in DepthwiseConv2D.attributes}
        return wide, part_of(self, DepthwiseConv2D, data=wide.outputs()[0], **second)

    def flop_count(self) -> int:
        """Return the FLOP of both convolutions."""
        return sum(part.flop_count() for part in self.parts())
