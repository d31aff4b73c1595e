"""Fused operators, each beside the composition of parts that it replaces.

Sizes are those of the main part, and the work is counted as if unfused: fusing saves memory
traffic, not operations. MXNet fuses graphs by oneDNN, PyTorch by torch.compile, which leaves
convolutions and products to oneDNN and fuses what surrounds them.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.limitation import Limitation
from opperf.core.tensor import Tensor
from opperf.operator import Operator
from opperf.operators.convolution import Conv2D, conv2d, conv2d_gradient
from opperf.operators.gemm import Dense, dense, dense_gradient
from opperf.operators.normalization import BatchNorm, batch_norm
from opperf.operators.rectifier import Relu

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensor import Array, Shape
    from opperf.declaration import Declaration

CHANNELS = ("gamma", "beta", "moving_mean", "moving_var")
NO_GRADIENT = Limitation(
    framework="mxnet",
    fused=True,
    dtypes=("float32", "bfloat16"),
    directions=("backward", "forward_backward"),
    words="gradient by data is 0 where the reference is",
    note="the gradients of its oneDNN subgraph are zero, without an error",
)
NOT_FROZEN = Limitation(
    framework="pytorch",
    fused=True,
    dtypes=("float64",),
    words="BackendCompilerFailed",
    note="freezing packs a convolution's weight by oneDNN, which has no float64",
)
ONE_TYPE = Limitation(
    framework="mxnet",
    fused=True,
    dtypes=("float64", "float16"),
    words="unknown type for MKLDNN",
    note="its oneDNN subgraph has no float64 and no float16",
)
NO_DOUBLE = Limitation(
    framework="mxnet",
    fused=True,
    dtypes=("float64",),
    words="Unknown type enum",
    note="its oneDNN subgraph has no float64",
)


def relu_of(function: Callable[..., Array]) -> Any:
    """Return the reference that cuts another's result off below zero."""

    def composition(*tensors: Array, **attributes: Any) -> Array:
        return np.maximum(function(*tensors, **attributes), 0)

    said = (function.__doc__ or "").partition("\n")[0].rstrip(".")
    composition.__doc__ = f"{said}, then cut off below zero."
    return staticmethod(composition)


def relu_gradient_of(function: Callable[..., Array], gradient: Callable[..., Any]) -> Any:
    """Return its gradient: what the cut let through goes to the other's."""

    def through(seeds: Sequence[Array], *tensors: Array, **attributes: Any) -> Any:
        passed = function(*tensors, **attributes) > 0
        return gradient([seeds[0] * passed], *tensors, **attributes)

    return staticmethod(through)


def far_from_zero(weight: Shape) -> Tensor:
    """Return a bias that keeps sums of products with this weight eight deviations from zero.

    Of millions of sums some come so near to zero that rounding decides what the ReLU lets through.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del random, low, high  # half of the units are on, half are off
        return 8 * sqrt(prod(weight[1:])) * (-1.0) ** np.arange(prod(shape))

    return Tensor(initializer=draw)


class ConvReLU(Conv2D):
    """A 2-D convolution with bias and its ReLU."""

    fusable = True
    reference = relu_of(conv2d)
    gradient = relu_gradient_of(conv2d, conv2d_gradient)
    limitations = (NO_GRADIENT, ONE_TYPE)
    tags = ("core",)

    def domains(self) -> Mapping[str, Tensor]:
        """Return a bias that decides alone which units are on."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["weight"])}

    def parts(self) -> tuple[Declaration, ...]:
        """Return the convolution and the ReLU."""
        return convolution_of(self), relu_after(self)


def convolution_of(operator: Conv2D) -> Declaration:
    """Return the convolution that an operator begins with."""
    names = (*Conv2D.tensors, *Conv2D.attributes)
    return part_of(operator, Conv2D, **{name: operator.inputs[name] for name in names})


def relu_after(operator: Operator) -> Declaration:
    """Return the ReLU that an operator ends with."""
    return part_of(operator, Relu, data=operator.outputs()[0])


def part_of(operator: Operator, kind: type[Operator], **inputs: object) -> Declaration:
    """Return a part on these inputs, in the whole operator's dtype and filled as it is."""
    shared = {"dtype": operator.dtype, "initializer": operator.inputs["initializer"]}
    return kind({**inputs, **shared})


def conv_batch_norm(
    data: Array, weight: Array, bias: Array, *statistics: Array,
    stride: int, padding: int, eps: float,
) -> Array:  # fmt: skip
    """Cross-correlate, then normalize by the moving statistics."""
    convolved = conv2d(data, weight, bias, stride=stride, padding=padding)
    return batch_norm(convolved, *statistics, eps=eps, momentum=0.0)


class ConvBatchNorm(Conv2D):
    """A 2-D convolution with bias and its batch normalization, in inference.

    There the moving statistics are constants that can be folded into the weight; in training, which
    needs the statistics of the convolution's own output, nothing can.
    """

    fusable = True
    differentiable = False
    gradient: ClassVar[Any] = None
    tensors = {
        **Conv2D.tensors,
        "gamma": Tensor(low=0.5, high=1.5),
        "beta": Tensor(),
        "moving_mean": Tensor(),
        "moving_var": Tensor(low=0.5, high=1.5),
    }
    attributes = {**Conv2D.attributes, "eps": 1e-5}
    sizes = {
        size: {**inputs, **dict.fromkeys(CHANNELS, inputs["bias"])}
        for size, inputs in Conv2D.sizes.items()
    }
    reference: ClassVar[Any] = staticmethod(conv_batch_norm)
    limitations = (NO_DOUBLE, NOT_FROZEN)

    def outputs(self) -> tuple[Shape, ...]:
        """Return images by filters by positions."""
        shapes = super().outputs()
        for name in CHANNELS:
            shape = self.inputs["bias"]
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as bias is")
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        return shapes

    def parts(self) -> tuple[Declaration, ...]:
        """Return the convolution and the normalization."""
        statistics = {name: self.inputs[name] for name in (*CHANNELS, "eps")}
        return convolution_of(self), part_of(self, BatchNorm, data=self.outputs()[0], **statistics)


class ConvBatchNormReLU(ConvBatchNorm):
    """A 2-D convolution with bias, its batch normalization in inference, and its ReLU."""

    reference = relu_of(conv_batch_norm)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the ReLU as well."""
        return *super().parts(), relu_after(self)


class DenseRelu(Operator):
    """A dense layer with bias and its ReLU."""

    fusable = True
    tensors = {"data": Tensor(), "weight": Tensor(), "bias": Tensor()}
    sizes = {
        "small": {"data": (64, 64), "weight": (64, 64), "bias": (64,)},
        "typical": {"data": (512, 768), "weight": (768, 768), "bias": (768,)},
        "large": {"data": (2048, 2048), "weight": (2048, 2048), "bias": (2048,)},
        "skewed": {"data": (10000, 10), "weight": (100, 10), "bias": (100,)},
    }
    reference = relu_of(dense)
    gradient = relu_gradient_of(dense, dense_gradient)
    limitations = (NO_GRADIENT, ONE_TYPE)
    backward_work = 2

    def domains(self) -> Mapping[str, Tensor]:
        """Return a bias that decides alone which units are on."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["weight"])}

    def parts(self) -> tuple[Declaration, ...]:
        """Return the layer and the ReLU."""
        return part_of(self, Dense, **self.shapes), relu_after(self)

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by units."""
        self.require_rank("data", 2)
        self.require_rank("weight", 2)
        (rows, features), (units, found) = self.inputs["data"], self.inputs["weight"]
        self.require(found == features, "weight", f"must have {features} columns, as data has")
        self.require(self.inputs["bias"] == (units,), "bias", f"must be ({units},)")
        return ((rows, units),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition an element of the product and feature."""
        return 2 * prod(self.outputs()[0]) * int(self.inputs["data"][1])
