"""Fused operators, each with the unfused sequence of operators that it replaces.

Sizes are those of the main part. FLOP are counted as if unfused: fusing saves memory traffic, not
operations.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.derivative import elementwise_gradient
from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.composition import part_of
from opperf.declaring.declaration import Declaration
from opperf.operators.activation.rectifier import ReLU
from opperf.operators.convolution.convolution import Conv2D, conv2d
from opperf.operators.normalization.normalization import BatchNorm, batch_norm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape

CHANNELS = ("gamma", "beta", "moving_mean", "moving_var")


def compose_activation(function: Callable[..., Array], last: type[Declaration]) -> Any:
    """Return the reference activation(function(...))."""

    def composition(*tensors: Array, **attributes: Any) -> Array:
        return last.reference(function(*tensors, **attributes), **last.attributes)

    inner = (function.__doc__ or "").partition("\n\n")[0].strip()
    formula = inner.removeprefix("Return ").removesuffix(".")
    composition.__doc__ = f"Return {last.name()}({formula})."
    return composition


def compose_activation_gradient(
    function: Callable[..., Array], gradient: Callable[..., Any], last: type[Declaration]
) -> Any:
    """Return the gradient of activation(function(...)), by the chain rule.

    An activation without a closed-form derivative is differentiated numerically.
    """

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
    """Return the reference ReLU(function(...))."""
    return compose_activation(function, ReLU)


def relu_gradient_of(function: Callable[..., Array], gradient: Callable[..., Any]) -> Any:
    """Return the gradient of ReLU(function(...))."""
    return compose_activation_gradient(function, gradient, ReLU)


def weights(deviation: float = 1.0) -> Tensor:
    """Return a weight whose products with normal data have sums of this standard deviation.

    Networks are initialized like that (LeCun et al. 1998, section 4.6), so that the activation is
    not saturated.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        return random.standard_normal(shape) * (deviation / sqrt(prod(shape[1:])))

    return Tensor(initializer=draw)


def far_from_zero(weight: Shape) -> Tensor:
    """Return a bias that keeps the sums of products with this weight 8 deviations from zero.

    Of millions of sums, some would come so close to zero that rounding decides the ReLU.
    """

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del random, low, high  # half of the units are on, half are off
        signs = (-1.0) ** np.arange(prod(shape))
        return 8 * sqrt(prod(weight[1:])) * signs.reshape(shape)

    return Tensor(initializer=draw)


class WithActivation(Declaration, abstract=True):
    """activation(operator(...)), with `last` the activation.

    A subclass derives from this class and then from the operator, whose inputs are its own.
    """

    last: ClassVar[type[Declaration]]
    fusable = True
    dtypes: ClassVar[tuple[str, ...]] = FLOATS
    tags: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Compose the reference and the gradient."""
        if not abstract:
            first = cls.first()
            if first.gradient is None:
                raise TypeError(f"{first.name()} has no gradient to compose")
            cls.reference = compose_activation(first.reference, cls.last)
            cls.gradient = compose_activation_gradient(first.reference, first.gradient, cls.last)
        super().__init_subclass__(abstract=abstract)

    @classmethod
    def first(cls) -> type[Declaration]:
        """Return the operator before the activation."""
        return next(
            kind
            for kind in cls.table_class().__mro__
            if issubclass(kind, Declaration) and not issubclass(kind, WithActivation)
        )

    def parts(self) -> tuple[Declaration, ...]:
        """Return the operator and the activation."""
        first = self.first()
        inputs = {name: self.inputs[name] for name in (*first.tensors, *first.attributes)}
        return part_of(self, first, **inputs), activation_after(self, self.last)


def convolution_of(operator: Conv2D) -> Declaration:
    """Return the convolution at the start of an operator."""
    names = (*Conv2D.tensors, *Conv2D.attributes)
    return part_of(operator, Conv2D, **{name: operator.inputs[name] for name in names})


def activation_after(operator: Declaration, kind: type[Declaration]) -> Declaration:
    """Return the activation at the end of an operator."""
    return part_of(operator, kind, data=operator.outputs()[0])


def relu_after(operator: Declaration) -> Declaration:
    """Return the ReLU at the end of an operator."""
    return activation_after(operator, ReLU)


def conv_batch_norm(
    data: Array, weight: Array, bias: Array, *statistics: Array,
    stride: int, padding: int, eps: float,
) -> Array:  # fmt: skip
    """Return batch_norm(conv(data, weight) + bias).

    The moving statistics are used, not those of the batch.
    """
    convolved = conv2d(data, weight, bias, stride=stride, padding=padding)
    return batch_norm(convolved, *statistics, eps=eps, momentum=0.0)


class ConvBatchNorm(Conv2D):
    """batch_norm(conv(data, weight) + bias), in inference.

    In inference the moving statistics are constants, which can be folded into the weight; training
    needs the statistics of the convolution's own output.
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
        """Return (batch, filters, *positions)."""
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
    """ReLU(batch_norm(conv(data, weight) + bias)), in inference."""

    reference = relu_of(conv_batch_norm)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the convolution, the normalization and the ReLU."""
        return *super().parts(), relu_after(self)
