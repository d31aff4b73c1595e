"""Smooth activation functions."""

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
    """Return the error function to 1e-15, by a Taylor series about the nearest tabulated point.

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
    """Return 1 / (1 + exp(-data)), without overflow."""
    return (1 + np.tanh(data / 2)) / 2


def swish(data: Array) -> Array:
    """Return data * sigmoid(data) (Ramachandran et al. 2017)."""
    return data * sigmoid(data)


def swish_slope(data: Array) -> Array:
    """Return the derivative of data * sigmoid(data)."""
    share = sigmoid(data)
    return share * (1 + data * (1 - share))


def gelu(data: Array) -> Array:
    """Return data * (1 + erf(data / sqrt(2))) / 2 (Hendrycks and Gimpel 2016)."""
    return data * (1 + erf(data / sqrt(2))) / 2


def gelu_slope(data: Array) -> Array:
    """Return the normal distribution function plus data times its density."""
    return (1 + erf(data / sqrt(2))) / 2 + data * np.exp(-(data**2) / 2) / sqrt(2 * pi)


def softplus(data: Array) -> Array:
    """Return log(1 + exp(data))."""
    return np.logaddexp(data, 0)


def softsign(data: Array) -> Array:
    """Return data / (1 + |data|)."""
    return data / (1 + np.abs(data))


def softsign_slope(data: Array) -> Array:
    """Return 1 / (1 + |data|)^2, the derivative of softsign; its own slope jumps at zero."""
    return (1 + np.abs(data)) ** -2.0


class Activation(Unary, abstract=True):
    """An activation function of one tensor.

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
    """Logistic function: 1 / (1 + exp(-data))."""

    reference = sigmoid
    tags = ("core",)
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because("y (1 - y) of the rounded output y")


class Tanh(Activation):
    """tanh(data)."""

    reference = np.tanh
    tags = ("core",)
    gradient_tolerance = CANCELING_TERMS.because("1 - y^2 of the rounded output y")


class Swish(Activation):
    """data * sigmoid(data), also called SiLU."""

    reference = swish
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because(
        "its derivative crosses zero as a sum of two terms"
    )


class GELU(Activation):
    """Gaussian error linear unit, exact: data * (1 + erf(data / sqrt(2))) / 2."""

    reference = gelu
    tags = ("core",)
    tolerance = CANCELING_TERMS.because("1 + erf(x) where erf(x) is nearly -1")
    gradient_tolerance = tolerance


class Softplus(Activation):
    """log(1 + exp(data))."""

    reference = softplus


class Softsign(Activation):
    """data / (1 + |data|)."""

    reference = softsign
    gradient = chain(softsign_slope)
    gradient_tolerance = ROUNDED_STEPS


def log_sigmoid(data: Array) -> Array:
    """Return log(sigmoid(data))."""
    return -softplus(-data)


def mish(data: Array) -> Array:
    """Return data * tanh(softplus(data)) (Misra 2019)."""
    return data * np.tanh(softplus(data))


def tanh_shrink(data: Array) -> Array:
    """Return data - tanh(data)."""
    return data - np.tanh(data)


def glu(data: Array) -> Array:
    """Return the first half of each row times the sigmoid of the second (Dauphin et al. 2017)."""
    linear, gate = np.split(data, 2, axis=-1)
    return linear * sigmoid(gate)


def glu_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the gradient by both halves."""
    linear, gate = np.split(data, 2, axis=-1)
    share = sigmoid(gate)
    halves = cotangents[0] * share, cotangents[0] * linear * share * (1 - share)
    return (np.concatenate(halves, axis=-1),)


class LogSigmoid(Activation):
    """log(sigmoid(data))."""

    reference = log_sigmoid


class Mish(Activation):
    """data * tanh(softplus(data))."""

    reference = mish
    gradient_tolerance = CANCELING_TERMS.because(
        "its derivative crosses zero as a sum of two terms"
    )


class TanhShrink(Activation):
    """data - tanh(data).

    Elements are at least 1: near zero the two terms cancel.
    """

    reference = tanh_shrink
    tensors = {"data": Tensor(low=1)}


class GLU(Activation):
    """Gated linear unit: the first half of each row times the sigmoid of the second."""

    sizes = {**Activation.sizes, "skewed": {"data": (9973, 14)}}
    elementwise = False
    reference = glu
    gradient = glu_gradient
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_TERMS.because("sigmoid(x) (1 - sigmoid(x)) of a rounded sigmoid")
    flops_per_element = 2  # a sigmoid and a product

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with rows half as long."""
        self.require_least_rank("data", 1)
        *rows, features = self.inputs["data"]
        self.require(features % 2 == 0, "data", "must have an even last dimension")
        return ((*rows, features // 2),)
