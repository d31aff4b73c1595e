"""Smooth activations: functions of one element that stand between the layers of a network."""

from __future__ import annotations

from math import erf as exact_erf
from math import exp, factorial, pi, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary, chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes

STEPS, LIMIT, ORDER = 64, 6, 6
"""The error function is tabulated at each 1/STEPS to LIMIT, beyond which it is 1 to the last bit;
a Taylor polynomial of ORDER about the nearest point then errs by less than a rounding."""
HALF_LIMIT = 3
"""The same limit of float16, in which Hermite polynomials of larger numbers overflow."""
POINTS = [step / STEPS for step in range(-LIMIT * STEPS, LIMIT * STEPS + 1)]
ERF = np.array([exact_erf(point) for point in POINTS])
SLOPE = np.array([2 / sqrt(pi) * exp(-point * point) for point in POINTS])


def erf(data: Array) -> Array:
    """Return the error function to 1e-15, by Taylor's series about the nearest tabulated point.

    Its derivatives are its slope times Hermite polynomials (DLMF 7.10.1), which follow from one
    another (DLMF 18.9.1).
    """
    limit = HALF_LIMIT if data.dtype == np.float16 else LIMIT
    data = np.clip(data, -limit, limit)
    nearest = np.rint(data * STEPS)
    point, index = nearest / STEPS, nearest.astype(int) + LIMIT * STEPS
    offset = data - point
    nothing = np.zeros((), data.dtype)
    before, hermite, series, power = nothing, nothing + 1, nothing, offset
    for order in range(ORDER):
        series = series + hermite * power / float(factorial(order + 1))
        before, hermite = hermite, 2 * point * hermite - 2 * order * before
        power = power * -offset
    value, slope = (table.astype(data.dtype) for table in (ERF, SLOPE))
    return value[index] + slope[index] * series


def sigmoid(data: Array) -> Array:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow."""
    return (1 + np.tanh(data / 2)) / 2


def swish(data: Array) -> Array:
    """Return x sigmoid(x) (Ramachandran et al. 2017)."""
    return data * sigmoid(data)


def swish_slope(data: Array) -> Array:
    """Return the derivative of x sigmoid(x)."""
    share = sigmoid(data)
    return share * (1 + data * (1 - share))


def gelu(data: Array) -> Array:
    """Return x times the normal distribution function of x (Hendrycks and Gimpel 2016)."""
    return data * (1 + erf(data / sqrt(2))) / 2


def gelu_slope(data: Array) -> Array:
    """Return the normal distribution function plus x times its density."""
    return (1 + erf(data / sqrt(2))) / 2 + data * np.exp(-(data**2) / 2) / sqrt(2 * pi)


def softplus(data: Array) -> Array:
    """Return log(1 + exp(x))."""
    return np.logaddexp(data, 0)


def softsign(data: Array) -> Array:
    """Return x / (1 + |x|)."""
    return data / (1 + np.abs(data))


def softsign_slope(data: Array) -> Array:
    """Return the derivative of softsign, whose own slope jumps at zero."""
    return (1 + np.abs(data)) ** -2.0


class Activation(Unary, abstract=True):
    """An activation of one tensor.

    Typical is the hidden layer of BERT-base's feed-forward block (128 tokens of 3072 features) for
    every activation, so that they compare; large is a batch of 32; skewed is odd in both
    dimensions, so that no row is aligned.
    """

    sizes: ClassVar[Sizes] = {
        "small": {"data": (64, 64)},
        "typical": {"data": (128, 3072)},
        "large": {"data": (32, 128, 3072)},
        "skewed": {"data": (9973, 13)},
    }


class Sigmoid(Activation):
    """The logistic function."""

    reference = sigmoid
    tags = ("core",)
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because("y (1 - y) of the rounded output y")


class Tanh(Activation):
    """The hyperbolic tangent."""

    reference = np.tanh
    tags = ("core",)
    gradient_tolerance = CANCELING_TERMS.because("1 - y^2 of the rounded output y")


class Swish(Activation):
    """x sigmoid(x), also called SiLU."""

    reference = swish
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because(
        "its derivative crosses zero as a sum of two terms"
    )


class Gelu(Activation):
    """The Gaussian error linear unit in its exact form, by the error function."""

    reference = gelu
    tags = ("core",)
    tolerance = CANCELING_TERMS.because("1 + erf(x) where erf(x) is nearly -1")
    gradient_tolerance = tolerance


class Softplus(Activation):
    """log(1 + exp(x)), a smooth ReLU."""

    reference = softplus


class Softsign(Activation):
    """x / (1 + |x|)."""

    reference = softsign
    gradient = chain(softsign_slope)
    gradient_tolerance = ROUNDED_STEPS


def log_sigmoid(data: Array) -> Array:
    """Return the logarithm of the logistic function."""
    return -softplus(-data)


def mish(data: Array) -> Array:
    """Return x tanh(softplus(x)) (Misra 2019)."""
    return data * np.tanh(softplus(data))


def tanh_shrink(data: Array) -> Array:
    """Return x - tanh(x)."""
    return data - np.tanh(data)


def glu(data: Array) -> Array:
    """Return the first half of each row times the sigmoid of the second (Dauphin et al. 2017)."""
    linear, gate = np.split(data, 2, axis=-1)
    return linear * sigmoid(gate)


def glu_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate by both halves."""
    linear, gate = np.split(data, 2, axis=-1)
    share = sigmoid(gate)
    halves = cotangents[0] * share, cotangents[0] * linear * share * (1 - share)
    return (np.concatenate(halves, axis=-1),)


class LogSigmoid(Activation):
    """The logarithm of the logistic function."""

    reference = log_sigmoid


class Mish(Activation):
    """x tanh(softplus(x))."""

    reference = mish
    gradient_tolerance = CANCELING_TERMS.because(
        "its derivative crosses zero as a sum of two terms"
    )


class TanhShrink(Activation):
    """x - tanh(x); away from zero, where the two cancel."""

    reference = tanh_shrink
    tensors = {"data": Tensor(low=1)}


class GLU(Activation):
    """The gated linear unit: one half of each row times the sigmoid of the other."""

    sizes = {**Activation.sizes, "skewed": {"data": (9973, 14)}}
    elementwise = False
    reference = glu
    gradient = glu_gradient
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because("sigmoid(x) (1 - sigmoid(x)) of a rounded sigmoid")
    flops_per_element = 2  # a sigmoid and a product

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with half as long rows."""
        self.require_least_rank("data", 1)
        *rows, features = self.inputs["data"]
        self.require(features % 2 == 0, "data", "must have an even last dimension")
        return ((*rows, features // 2),)
