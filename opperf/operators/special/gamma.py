"""The gamma function, its logarithm and derivatives, and incomplete gamma functions."""

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
"""The even Bernoulli numbers from the second on (DLMF 24.2.1)."""
SHIFT = 8
"""The number of recurrences, after which the asymptotic series errs by less than 1e-12."""
DIGAMMA = CANCELING_TERMS.with_atol(
    "a sum cancels near digamma's zero; a framework may be no more exact in float64", float64=1e-6
)
TERMS = 48
"""Of the incomplete gamma function's series; for x <= 4 the remainder is below rounding."""

lgamma = by_math(math.lgamma)
gamma = by_math(math.gamma)


def digamma(data: Array) -> Array:
    """psi(x), by recurrence (DLMF 5.5.2), then 5.11.2."""
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
    """psi^(n)(x), by Hurwitz's zeta function (DLMF 25.11.12)."""
    sign = 1.0 if n % 2 else -1.0
    return sign * factorial(n) * zeta(np.asarray(n + 1, data.dtype), data)


def multivariate_lgamma(data: Array, *, p: int) -> Array:
    """log(gamma_p(x)), the multivariate gamma function (DLMF 35.3.4)."""
    terms = [lgamma(data - at / 2) for at in range(p)]
    return np.sum(terms, axis=0) + p * (p - 1) / 4 * np.log(pi)


def lower_gamma(lhs: Array, rhs: Array) -> Array:
    """P(a, x), the regularized lower incomplete gamma function (DLMF 8.11.4)."""
    term = np.exp(lhs * np.log(rhs) - rhs - lgamma(lhs + 1))
    total = term
    for at in range(1, TERMS):
        term = term * rhs / (lhs + at)
        total = total + term
    return total


def upper_gamma(lhs: Array, rhs: Array) -> Array:
    """Q(a, x) = 1 - P(a, x)."""
    return 1 - lower_gamma(lhs, rhs)


class LGamma(Unary):
    """log|gamma(data)|."""

    reference = lgamma
    tensors = {"data": Tensor(low=0.5, high=10)}
    gradient_tolerance = DIGAMMA


class Gamma(Unary):
    """gamma(data)."""

    reference = gamma
    tensors = {"data": Tensor(low=0.5, high=5)}
    gradient_tolerance = DIGAMMA


class Digamma(Unary):
    """psi(data), the derivative of log(gamma(data))."""

    reference = digamma
    tensors = {"data": Tensor(low=0.5, high=10)}
    tolerance = CANCELING_TERMS.because("near its zero, a difference of two terms")


class Polygamma(Unary):
    """psi^(n)(data), the n-th derivative of digamma."""

    attributes = {"n": 1}
    reference = polygamma
    tensors = {"data": Tensor(low=0.5, high=10)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        most = len(BERNOULLI)
        self.require(1 <= self.inputs["n"] <= most, "n", f"must lie in [1, {most}]")
        return super().outputs()


class MultivariateLGamma(Unary):
    """log(gamma_p(data)), the multivariate gamma function of the Wishart distribution."""

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
        """Return a logarithm and an addition per element and dimension."""
        return 2 * int(self.inputs["p"]) * super().flop_count()


class Zeta(Binary):
    """zeta(lhs, rhs): Hurwitz's zeta function, differentiated by the shift rhs only."""

    reference = zeta
    tensors = {
        "lhs": Tensor(low=2, high=6, differentiable=False),
        "rhs": Tensor(low=0.5, high=4),
    }
    dtypes = WIDE


class IGamma(Binary):
    """P(lhs, rhs): the regularized lower incomplete gamma function, differentiated by rhs only."""

    reference = lower_gamma
    tensors = {
        "lhs": Tensor(low=1, high=4, differentiable=False),
        "rhs": Tensor(low=0.25, high=4),
    }
    tolerance = gradient_tolerance = ROUNDED_STEPS


class IGammaC(IGamma):
    """Q(lhs, rhs) = 1 - P(lhs, rhs), differentiated by rhs only."""

    reference = upper_gamma
    tolerance = CANCELING_SUMS.because("1 - IGamma")
