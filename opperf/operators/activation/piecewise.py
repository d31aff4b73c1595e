"""Piecewise activation functions; gradients are in closed form, because the slopes jump."""

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
    """Return data / 6 + 1/2, clipped to [0, 1] (Howard et al. 2019)."""
    return np.clip(data / 6 + 0.5, 0, 1)


def hard_sigmoid_slope(data: Array) -> Array:
    """Return the derivative of the hard sigmoid."""
    return (np.abs(data) < 3) / 6  # noqa: PLR2004 - where x / 6 + 1/2 reaches 0 and 1


def hard_swish(data: Array) -> Array:
    """Return data * hard_sigmoid(data) (Howard et al. 2019)."""
    return data * hard_sigmoid(data)


def hard_swish_slope(data: Array) -> Array:
    """Return the derivative of the hard swish."""
    return hard_sigmoid(data) + data * hard_sigmoid_slope(data)


def relu6(data: Array) -> Array:
    """Return data clipped to [0, 6] (Krizhevsky 2010)."""
    return np.clip(data, 0, 6)


def relu6_slope(data: Array) -> Array:
    """Return the derivative of ReLU6."""
    return (data > 0) & (data < 6)  # noqa: PLR2004 - its name


def celu(data: Array, *, alpha: float) -> Array:
    """Return data, or alpha * (exp(data / alpha) - 1) below zero (Barron 2017)."""
    return elu(data / alpha, alpha=1) * alpha


def celu_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of CELU."""
    return np.exp(np.minimum(data, 0) / alpha)


def hard_shrink(data: Array, *, limit: float) -> Array:
    """Return data where |data| > limit, else 0."""
    return np.where(np.abs(data) > limit, data, 0)


def is_beyond(data: Array, *, limit: float) -> Array:
    """Return where |data| > limit: the derivative of both shrinkages."""
    return np.abs(data) > limit


def soft_shrink(data: Array, *, limit: float) -> Array:
    """Return sign(data) * max(|data| - limit, 0)."""
    return data - np.clip(data, -limit, limit)


class HardSigmoid(Activation):
    """Hard sigmoid: data / 6 + 1/2, clipped to [0, 1], as in MobileNetV3."""

    reference = hard_sigmoid
    gradient = chain(hard_sigmoid_slope)
    tolerance = CANCELING_TERMS.because("alpha x + beta near its zero")


class HardSwish(Activation):
    """data * hard_sigmoid(data), as in MobileNetV3."""

    reference = hard_swish
    gradient = chain(hard_swish_slope)
    tolerance = CANCELING_TERMS.because("x + 3 near its zero")
    gradient_tolerance = tolerance


class ReLU6(Activation):
    """ReLU6: data clipped to [0, 6], as in MobileNetV2."""

    reference = relu6
    gradient = chain(relu6_slope)


class CELU(Activation):
    """CELU: data, or alpha * (exp(data / alpha) - 1) below zero."""

    attributes = {"alpha": 2.0}
    reference = celu
    gradient = chain(celu_slope)
    tolerance = CANCELING_TERMS.because("exp(x / alpha) - 1 near zero")
    gradient_tolerance = CANCELING_TERMS.because("y + alpha of the rounded output y")


class HardShrink(Activation):
    """data where |data| > limit, else 0."""

    attributes = {"limit": 0.5}
    reference = hard_shrink
    gradient = chain(is_beyond)


class SoftShrink(Activation):
    """sign(data) * max(|data| - limit, 0)."""

    attributes = {"limit": 0.5}
    reference = soft_shrink
    gradient = chain(is_beyond)
