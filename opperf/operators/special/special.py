"""Error functions, the normal distribution's functions, and entropies."""

from __future__ import annotations

import math
from functools import wraps
from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.elementwise import Binary, Unary
from opperf.operators.activation.activation import erf

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.tensors.tensor import Array

POSITIVE = Tensor(low=0.1, high=10)
PROBABILITY = Tensor(low=0.05, high=0.95)
NEWTON_STEPS = 4


def by_math(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """Return a scalar function of Python's math module as a function of arrays."""

    @wraps(function)
    def each(data: Array) -> Array:
        values = map(function, data.ravel().tolist())
        return np.fromiter(values, data.dtype, data.size).reshape(data.shape)

    return each


erfc = by_math(math.erfc)


def inverse_erf(data: Array) -> Array:
    """erfinv(x), by Winitzki's approximation (2008) and Newton's method.

    The approximation is good to 2e-3, and each step squares the error.
    """
    logarithm = np.log1p(-data * data)
    half = 2 / (pi * 0.147) + logarithm / 2
    found = np.copysign(np.sqrt(np.sqrt(half * half - logarithm / 0.147) - half), data)
    for _ in range(NEWTON_STEPS):
        found = found - (erf(found) - data) * np.exp(found * found) * (sqrt(pi) / 2)
    return found


def scaled_erfc(data: Array) -> Array:
    """Return exp(x^2) erfc(x)."""
    return np.exp(data * data) * erfc(data)


def normal_distribution(data: Array) -> Array:
    """Phi(x), the normal distribution function."""
    return erfc(-data / sqrt(2)) / 2


def normal_quantile(data: Array) -> Array:
    """Phi^-1(p), the normal quantile."""
    return sqrt(2) * inverse_erf(2 * data - 1)


def log_normal_distribution(data: Array) -> Array:
    """log(Phi(x))."""
    return np.log(normal_distribution(data))


def log_odds(data: Array) -> Array:
    """Return log(p / (1 - p))."""
    return np.log(data / (1 - data))


def entropy(data: Array) -> Array:
    """-x log(x)."""
    return -data * np.log(data)


def x_log_y(lhs: Array, rhs: Array) -> Array:
    """Return lhs * log(rhs)."""
    return lhs * np.log(rhs)


def x_log1p_y(lhs: Array, rhs: Array) -> Array:
    """Return lhs * log(1 + rhs)."""
    return lhs * np.log1p(rhs)


class Erf(Unary):
    """erf(data)."""

    reference = erf
    tensors = {"data": Tensor(low=-3, high=3)}
    gradient_tolerance = ROUNDED_STEPS


class Erfc(Unary):
    """1 - erf(data)."""

    reference = erfc
    gradient_tolerance = ROUNDED_STEPS


class Erfcx(Unary):
    """exp(data^2) erfc(data), the scaled complementary error function."""

    reference = scaled_erfc
    tensors = {"data": Tensor(low=-1, high=3)}
    dtypes = WIDE


class ErfInv(Unary):
    """erfinv(data); its slope is unbounded at -1 and 1."""

    reference = inverse_erf
    tensors = {"data": Tensor(low=-0.9, high=0.9)}
    gradient_tolerance = ROUNDED_STEPS


class Ndtr(Unary):
    """Phi(data), the normal distribution function."""

    reference = normal_distribution
    tolerance = CANCELING_TERMS.because("1 + erf(x) where erf(x) is nearly -1")
    gradient_tolerance = ROUNDED_STEPS


class Ndtri(Unary):
    """Phi^-1(data), the normal quantile."""

    reference = normal_quantile
    tensors = {"data": PROBABILITY}
    dtypes = WIDE


class LogNdtr(Unary):
    """log(Phi(data)), with the normal distribution function Phi."""

    reference = log_normal_distribution
    dtypes = WIDE
    tolerance = CANCELING_TERMS.because("the logarithm of a rounded value near one")


class Logit(Unary):
    """log(data / (1 - data))."""

    reference = log_odds
    tensors = {"data": PROBABILITY}
    tolerance = CANCELING_TERMS.because("the logarithm of a rounded value near one")


class Entr(Unary):
    """-data * log(data)."""

    reference = entropy
    tensors = {"data": POSITIVE}
    gradient_tolerance = CANCELING_TERMS.because("log(x) + 1 near its zero")


class XLogY(Binary):
    """lhs * log(rhs)."""

    reference = x_log_y
    tensors = {"lhs": Tensor(), "rhs": POSITIVE}
    flops_per_element = 2  # a logarithm and a product


class XLog1PY(XLogY):
    """lhs * log(1 + rhs)."""

    reference = x_log1p_y
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=-0.75, high=10)}
