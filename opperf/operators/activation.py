"""Activations: functions of one element that stand between the layers of a network."""

from __future__ import annotations

from math import erf as exact_erf
from math import exp, factorial, pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operators.elementwise import Unary, chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
"""Klambauer et al. 2017, equation 14: what keeps mean 0 and variance 1."""

STEPS, LIMIT, ORDER = 64, 6, 6
"""The error function is tabulated at each 1/STEPS to LIMIT, beyond which it is 1 to the last bit;
a Taylor polynomial of ORDER about the nearest point then errs by less than a rounding."""
POINTS = [step / STEPS for step in range(-LIMIT * STEPS, LIMIT * STEPS + 1)]
ERF = np.array([exact_erf(point) for point in POINTS])
SLOPE = np.array([2 / sqrt(pi) * exp(-point * point) for point in POINTS])


def erf(data: Array) -> Array:
    """Return the error function to 1e-15, by Taylor's series about the nearest tabulated point.

    Its derivatives are its slope times Hermite polynomials (DLMF 7.10.1 and 18.9.1).
    """
    data = np.clip(data, -LIMIT, LIMIT)
    at = np.rint(data * STEPS).astype(int)
    point, index = at / STEPS, at + LIMIT * STEPS
    offset = data - point
    before, hermite, series, power = np.zeros(()), np.ones(()), np.zeros(()), offset
    for order in range(ORDER):
        series = series + hermite * power / factorial(order + 1)
        before, hermite = hermite, 2 * point * hermite - 2 * order * before
        power = power * -offset
    return ERF[index] + SLOPE[index] * series


def sigmoid(data: Array) -> Array:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow."""
    return (1 + np.tanh(data / 2)) / 2


def relu(data: Array) -> Array:
    """Return max(x, 0)."""
    return np.maximum(data, 0)


def positive(data: Array) -> Array:
    """Return the derivative of ReLU."""
    return data > 0


def leaky_relu(data: Array, *, alpha: float) -> Array:
    """Return x, below zero alpha x (Maas et al. 2013)."""
    return np.where(data > 0, data, alpha * data)


def leaky_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of the leaky ReLU."""
    return np.where(data > 0, 1, alpha)


def elu(data: Array, *, alpha: float) -> Array:
    """Return x, below zero alpha (exp(x) - 1) (Clevert et al. 2016)."""
    return np.where(data > 0, data, alpha * np.expm1(np.minimum(data, 0)))


def elu_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of the ELU."""
    return np.where(data > 0, 1, alpha * np.exp(np.minimum(data, 0)))


def selu(data: Array) -> Array:
    """Return the scaled ELU."""
    return SELU_SCALE * elu(data, alpha=SELU_ALPHA)


def selu_slope(data: Array) -> Array:
    """Return the derivative of the scaled ELU."""
    return SELU_SCALE * elu_slope(data, alpha=SELU_ALPHA)


def swish(data: Array) -> Array:
    """Return x sigmoid(x) (Ramachandran et al. 2017)."""
    return data * sigmoid(data)


def gelu(data: Array) -> Array:
    """Return x times the normal distribution function of x (Hendrycks and Gimpel 2016)."""
    return data * (1 + erf(data / sqrt(2))) / 2


def softplus(data: Array) -> Array:
    """Return log(1 + exp(x))."""
    return np.logaddexp(data, 0)


def softsign(data: Array) -> Array:
    """Return x / (1 + |x|)."""
    return data / (1 + np.abs(data))


def softsign_slope(data: Array) -> Array:
    """Return the derivative of softsign, whose own slope jumps at zero."""
    return (1 + np.abs(data)) ** -2.0


def along_channels(gamma: Array, data: Array) -> Array:
    """Return one value a channel so that it broadcasts over data with channels second."""
    return gamma.reshape(-1, *(1,) * (data.ndim - 2))


def prelu(data: Array, gamma: Array) -> Array:
    """Return x, below zero x times its channel's slope (He et al. 2015)."""
    return np.where(data > 0, data, data * along_channels(gamma, data))


def prelu_gradient(seeds: Sequence[Array], data: Array, gamma: Array) -> tuple[Array, Array]:
    """Scale by the slope; sum what each slope multiplies."""
    slope = np.where(data > 0, 1, along_channels(gamma, data))
    others = tuple(axis for axis in range(data.ndim) if axis != 1)
    return seeds[0] * slope, (seeds[0] * np.minimum(data, 0)).sum(axis=others)


class Activation(Unary):
    """An activation of one tensor.

    Typical is the hidden layer of BERT-base's feed-forward block (384 tokens of 3072 features) for
    every activation, so that they compare; large is a batch of 12; skewed is odd in both
    dimensions, so that no row is aligned.
    """

    category = "activation"
    sizes: dict[str, Any] = {
        "small": {"data": (64, 64)},
        "typical": {"data": (384, 3072)},
        "large": {"data": (12, 384, 3072)},
        "skewed": {"data": (9973, 13)},
    }


class LeakyRelu(Activation):
    """The leaky ReLU: x, below zero alpha x."""

    attributes = {"alpha": 0.25}
    reference = staticmethod(leaky_relu)
    gradient = chain(leaky_slope)


class PRelu(Activation):
    """The leaky ReLU with a learned slope for each channel, the second axis.

    Typical is the first stage of ArcFace's ResNet-50 for 4 images; skewed has more channels than
    positions.
    """

    tensors = {"data": Tensor(), "gamma": Tensor(low=0, high=0.5)}
    sizes = {
        size: {"data": shape, "gamma": shape[1:2]}
        for size, shape in {
            "small": (1, 16, 16, 16),
            "typical": (4, 64, 56, 56),
            "large": (32, 64, 56, 56),
            "skewed": (3, 1021, 3, 5),
        }.items()
    }
    reference = staticmethod(prelu)
    gradient = staticmethod(prelu_gradient)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require(len(shape) > 1, "data", "must have at least 2 dimensions")
        self.require(self.inputs["gamma"] == shape[1:2], "gamma", f"must be {shape[1:2]}")
        return (shape,)


class Sigmoid(Activation):
    """The logistic function."""

    reference = staticmethod(sigmoid)
    tags = ("core",)


class Tanh(Activation):
    """The hyperbolic tangent."""

    reference = staticmethod(np.tanh)
    tags = ("core",)


class Elu(Activation):
    """The exponential linear unit."""

    attributes = {"alpha": 1.0}
    reference = staticmethod(elu)
    gradient = chain(elu_slope)


class Selu(Activation):
    """The scaled exponential linear unit of self-normalizing networks."""

    reference = staticmethod(selu)
    gradient = chain(selu_slope)


class Swish(Activation):
    """x sigmoid(x), also called SiLU."""

    reference = staticmethod(swish)


class Relu(Activation):
    """The rectified linear unit."""

    reference = staticmethod(relu)
    gradient = chain(positive)
    tags = ("core",)


class Gelu(Activation):
    """The Gaussian error linear unit in its exact form, by the error function."""

    reference = staticmethod(gelu)
    tags = ("core",)


class Softplus(Activation):
    """log(1 + exp(x)), a smooth ReLU."""

    reference = staticmethod(softplus)


class Softsign(Activation):
    """x / (1 + |x|)."""

    reference = staticmethod(softsign)
    gradient = chain(softsign_slope)
