"""The gamma function and its kin."""

from __future__ import annotations

import math
from math import factorial, pi
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.elementwise import Binary, Unary
from opperf.operators.special.special import by_math

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
"""The even ones from the second on (DLMF 24.2.1)."""
SHIFT = 8
"""Terms taken as they are, after which the asymptotic series errs by less than 1e-12."""
DIGAMMA = CANCELING_TERMS.with_atol(
    "a sum that cancels near digamma's zero; MXNet's is no more exact in float64", float64=1e-6
)
TERMS = 48
"""Of the incomplete gamma function's series; for x <= 4 the rest is below a rounding."""

lgamma = by_math(math.lgamma)
gamma = by_math(math.gamma)


def digamma(data: Array) -> Array:
    """Return the logarithmic derivative of gamma: recurrence (DLMF 5.5.2), then 5.11.2."""
    total = np.zeros_like(data)
    for _ in range(SHIFT):
        total = total - 1 / data
        data = data + 1
    total = total + np.log(data) - 0.5 / data
    square = power = 1 / (data * data)
    for at, number in enumerate(BERNOULLI, 1):
        total = total - number / (2 * at) * power
        power = power * square
    return total


def zeta(data: Array, shift: Array) -> Array:
    """Return Hurwitz's zeta function, by Euler and Maclaurin's formula (DLMF 25.11.5, 2.10.1)."""
    total = np.zeros_like(data + shift)
    for _ in range(SHIFT):
        total = total + shift**-data
        shift = shift + 1
    total = total + shift ** (1 - data) / (data - 1) + shift**-data / 2
    rising = data * shift ** (-data - 1)
    for at, number in enumerate(BERNOULLI, 1):
        total = total + number / float(factorial(2 * at)) * rising
        rising = rising * (data + 2 * at - 1) * (data + 2 * at) / (shift * shift)
    return total


def polygamma(data: Array, *, n: int) -> Array:
    """Return the n-th derivative of digamma by Hurwitz's zeta function (DLMF 25.11.12)."""
    sign = 1.0 if n % 2 else -1.0
    return sign * factorial(n) * zeta(np.asarray(n + 1, data.dtype), data)


def multivariate_lgamma(data: Array, *, p: int) -> Array:
    """Return the logarithm of the multivariate gamma function of p dimensions (DLMF 35.3.4)."""
    terms = [lgamma(data - at / 2) for at in range(p)]
    return np.sum(terms, axis=0) + p * (p - 1) / 4 * np.log(pi)


def lower_gamma(lhs: Array, rhs: Array) -> Array:
    """Return the regularized lower incomplete gamma function P(a, x) (DLMF 8.11.4)."""
    term = np.exp(lhs * np.log(rhs) - rhs - lgamma(lhs + 1))
    total = term
    for at in range(1, TERMS):
        term = term * rhs / (lhs + at)
        total = total + term
    return total


def upper_gamma(lhs: Array, rhs: Array) -> Array:
    """Return what the lower incomplete gamma function leaves of 1."""
    return 1 - lower_gamma(lhs, rhs)


class LGamma(Unary):
    """The logarithm of the gamma function."""

    reference = lgamma
    tensors = {"data": Tensor(low=0.5, high=10)}
    gradient_tolerance = DIGAMMA


class Gamma(Unary):
    """The gamma function."""

    reference = gamma
    tensors = {"data": Tensor(low=0.5, high=5)}
    gradient_tolerance = DIGAMMA


class Digamma(Unary):
    """The derivative of the gamma function's logarithm."""

    reference = digamma
    tensors = {"data": Tensor(low=0.5, high=10)}
    tolerance = CANCELING_TERMS.because("near its zero, a difference of two terms")


class Polygamma(Unary):
    """The n-th derivative of digamma."""

    attributes = {"n": 1}
    reference = polygamma
    tensors = {"data": Tensor(low=0.5, high=10)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        most = len(BERNOULLI)
        self.require(1 <= self.inputs["n"] <= most, "n", f"must lie in [1, {most}]")
        return super().outputs()


class MultivariateLGamma(Unary):
    """The logarithm of the multivariate gamma function, as the Wishart distribution needs it."""

    attributes = {"p": 2}
    reference = multivariate_lgamma
    tensors = {"data": Tensor(low=4, high=12)}
    most = 8

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        fits = 1 <= self.inputs["p"] <= self.most
        self.require(fits, "p", f"must lie in [1, {self.most}], as the data begins at 4")
        return super().outputs()

    def flop_count(self) -> int:
        """Return a logarithm and a sum an element and dimension."""
        return 2 * int(self.inputs["p"]) * super().flop_count()


class Zeta(Binary):
    """Hurwitz's zeta function of exponent lhs; differentiated by the shift alone, as PyTorch is."""

    reference = zeta
    tensors = {
        "lhs": Tensor(low=2, high=6, differentiable=False),
        "rhs": Tensor(low=0.5, high=4),
    }
    dtypes = WIDE


class IGamma(Binary):
    """The regularized lower incomplete gamma function; differentiated by x alone, the right one."""

    reference = lower_gamma
    tensors = {
        "lhs": Tensor(low=1, high=4, differentiable=False),
        "rhs": Tensor(low=0.25, high=4),
    }
    tolerance = gradient_tolerance = ROUNDED_STEPS


class IGammaC(IGamma):
    """The regularized upper incomplete gamma function, likewise."""

    reference = upper_gamma
    tolerance = CANCELING_SUMS.because("1 - IGamma")
