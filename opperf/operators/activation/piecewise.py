"""Activations put together of pieces; gradients are in closed form, as the slopes jump."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.declaring.elementwise import chain
from opperf.operators.activation.activation import Activation
from opperf.operators.activation.rectifier import elu

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


def hard_sigmoid(data: Array) -> Array:
    """Return x / 6 + 1/2 within [0, 1] (Howard et al. 2019)."""
    return np.clip(data / 6 + 0.5, 0, 1)


def hard_sigmoid_slope(data: Array) -> Array:
    """Return the derivative of the hard sigmoid."""
    return (np.abs(data) < 3) / 6  # noqa: PLR2004 - where x / 6 + 1/2 reaches 0 and 1


def hard_swish(data: Array) -> Array:
    """Return x times its hard sigmoid (Howard et al. 2019)."""
    return data * hard_sigmoid(data)


def hard_swish_slope(data: Array) -> Array:
    """Return the derivative of the hard swish."""
    return hard_sigmoid(data) + data * hard_sigmoid_slope(data)


def relu6(data: Array) -> Array:
    """Return x within [0, 6] (Krizhevsky 2010)."""
    return np.clip(data, 0, 6)


def relu6_slope(data: Array) -> Array:
    """Return the derivative of ReLU6."""
    return (data > 0) & (data < 6)  # noqa: PLR2004 - its name


def celu(data: Array, *, alpha: float) -> Array:
    """Return x, below zero alpha (exp(x / alpha) - 1) (Barron 2017)."""
    return elu(data / alpha, alpha=1) * alpha


def celu_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of the CELU."""
    return np.exp(np.minimum(data, 0) / alpha)


def hard_shrink(data: Array, *, limit: float) -> Array:
    """Return x beyond the limits, else 0."""
    return np.where(np.abs(data) > limit, data, 0)


def is_beyond(data: Array, *, limit: float) -> Array:
    """Return the derivative of both shrinkages."""
    return np.abs(data) > limit


def soft_shrink(data: Array, *, limit: float) -> Array:
    """Return what of x is beyond the limits."""
    return data - np.clip(data, -limit, limit)


class HardSigmoid(Activation):
    """The logistic function in three straight pieces, as in MobileNetV3."""

    reference = hard_sigmoid
    gradient = chain(hard_sigmoid_slope)
    tolerance = CANCELING_TERMS.because("alpha x + beta near its zero")


class HardSwish(Activation):
    """x times its hard sigmoid, as in MobileNetV3."""

    reference = hard_swish
    gradient = chain(hard_swish_slope)
    tolerance = CANCELING_TERMS.because("x + 3 near its zero")
    gradient_tolerance = tolerance


class Relu6(Activation):
    """The ReLU cut off at 6, as in MobileNetV2."""

    reference = relu6
    gradient = chain(relu6_slope)


class Celu(Activation):
    """The ELU whose slope is continuous whatever alpha is."""

    attributes = {"alpha": 2.0}
    reference = celu
    gradient = chain(celu_slope)
    tolerance = CANCELING_TERMS.because("exp(x / alpha) - 1 near zero")
    gradient_tolerance = CANCELING_TERMS.because("y + alpha of the rounded output y")


class HardShrink(Activation):
    """The elements beyond the limits, the others as zero."""

    attributes = {"limit": 0.5}
    reference = hard_shrink
    gradient = chain(is_beyond)


class SoftShrink(Activation):
    """What of the elements is beyond the limits."""

    attributes = {"limit": 0.5}
    reference = soft_shrink
    gradient = chain(is_beyond)
