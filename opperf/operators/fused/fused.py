"""Fused operators, each beside the composition of parts that it replaces.

Sizes are those of the main part, and the work is counted as if unfused: fusing saves memory
traffic, not operations. MXNet fuses graphs by oneDNN, PyTorch by torch.compile, which leaves
convolutions and products to oneDNN and fuses what surrounds them.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.derivative import elementwise_gradient
from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.activation.rectifier import Relu
from opperf.operators.convolution.convolution import Conv2D, conv2d
from opperf.operators.normalization.normalization import BatchNorm, batch_norm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape

CHANNELS = ("gamma", "beta", "moving_mean", "moving_var")


def compose_activation(function: Callable[..., Array], last: type[Declaration]) -> Any:
    """Return the reference that applies an activation to what another one returns."""

    def composition(*tensors: Array, **attributes: Any) -> Array:
        return last.reference(function(*tensors, **attributes), **last.attributes)

    said, then = ((each.__doc__ or "").partition(".")[0] for each in (function, last))
    composition.__doc__ = f"{said}, then take {then[:1].lower()}{then[1:]}."
    return composition


def compose_activation_gradient(
    function: Callable[..., Array], gradient: Callable[..., Any], last: type[Declaration]
) -> Any:
    """Return its gradient: the activation's, by differences where it has no formula, handed on."""

    def through(cotangents: Sequence[Array], *tensors: Array, **attributes: Any) -> Any:
        passed = function(*tensors, **attributes)
        if last.gradient is not None:
            handed = last.gradient(cotangents, passed, **last.attributes)[0]
        else:
            handed = elementwise_gradient(
                lambda data: [last.reference(data)], [passed], 0, cotangents
            )
        return gradient([handed], *tensors, **attributes)

    return through


def relu_of(function: Callable[..., Array]) -> Any:
    """Return the reference that takes the ReLU of another one."""
    return compose_activation(function, Relu)


def relu_gradient_of(function: Callable[..., Array], gradient: Callable[..., Any]) -> Any:
    """Return its gradient: what the ReLU let through goes to the other's."""
    return compose_activation_gradient(function, gradient, Relu)


def weights(deviation: float = 1.0) -> Tensor:
    """Return a weight whose sums of products with normal data have this deviation.

    As weights of a network do at first (LeCun et al. 1998, section 4.6), so that what follows such
    sums is not saturated by them.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        return random.standard_normal(shape) * (deviation / sqrt(prod(shape[1:])))

    return Tensor(initializer=draw)


def far_from_zero(weight: Shape) -> Tensor:
    """Return a bias that keeps sums of products with this weight eight deviations from zero.

    Of millions of sums some come so near to zero that rounding decides what the ReLU lets through.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del random, low, high  # half of the units are on, half are off
        signs = (-1.0) ** np.arange(prod(shape))
        return 8 * sqrt(prod(weight[1:])) * signs.reshape(shape)

    return Tensor(initializer=draw)


class WithActivation(Declaration, abstract=True):
    """Another operator, then the activation `last` of what it returns, in one.

    A subclass derives from this class and then from the other operator, whose inputs are its own.
    """

    last: ClassVar[type[Declaration]]
    fusable = True
    dtypes: ClassVar[tuple[str, ...]] = FLOATS
    tags: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Compose the references and the gradients."""
        first = cls.first()
        if first.gradient is None:
            raise TypeError(f"{first.name()} has no gradient to compose")
        cls.reference = compose_activation(first.reference, cls.last)
        cls.gradient = compose_activation_gradient(first.reference, first.gradient, cls.last)
        super().__init_subclass__(abstract=abstract)

    @classmethod
    def first(cls) -> type[Declaration]:
        """Return the other operator."""
        return next(
            kind
            for kind in cls.__mro__
            if issubclass(kind, Declaration) and not issubclass(kind, WithActivation)
        )

    def parts(self) -> tuple[Declaration, ...]:
        """Return the other operator and the activation."""
        first = self.first()
        inputs = {name: self.inputs[name] for name in (*first.tensors, *first.attributes)}
        return part_of(self, first, **inputs), activation_after(self, self.last)


def convolution_of(operator: Conv2D) -> Declaration:
    """Return the convolution that an operator begins with."""
    names = (*Conv2D.tensors, *Conv2D.attributes)
    return part_of(operator, Conv2D, **{name: operator.inputs[name] for name in names})


def activation_after(operator: Declaration, kind: type[Declaration]) -> Declaration:
    """Return the activation that an operator ends with."""
    return part_of(operator, kind, data=operator.outputs()[0])


def relu_after(operator: Declaration) -> Declaration:
    """Return the ReLU that an operator ends with."""
    return activation_after(operator, Relu)


def part_of(operator: Declaration, kind: type[Declaration], **inputs: object) -> Declaration:
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
    reference: ClassVar[Any] = conv_batch_norm

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
