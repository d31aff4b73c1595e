"""Bessel functions, by their power series within [-6, 6]."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.elementwise import Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


TERMS = 32
"""The number of terms; for |x| <= 6 the remainder is below rounding."""
EULER = 0.57721566490153286060651209008240243


def series(data: Array, order: int, sign: int) -> Array:
    """Return J (sign -1, DLMF 10.2.2) or I (sign 1, DLMF 10.25.2) of order 0 or 1."""
    quarter = sign * data * data / 4
    term = np.ones_like(data) if order == 0 else data / 2
    total = term
    for at in range(1, TERMS):
        term = term * quarter / float(at * (at + order))
        total = total + term
    return total


def bessel_j0(data: Array) -> Array:
    """J0(x), the Bessel function of the first kind and order 0."""
    return series(data, 0, -1)


def bessel_j1(data: Array) -> Array:
    """J1(x), the Bessel function of the first kind and order 1."""
    return series(data, 1, -1)


def bessel_y0(data: Array) -> Array:
    """Y0(x), the Bessel function of the second kind and order 0 (DLMF 10.8.2)."""
    quarter = -data * data / 4
    term, harmonic = np.ones_like(data), 0.0
    total = np.zeros_like(data)
    for at in range(1, TERMS):
        term = term * quarter / float(at * at)
        harmonic += 1 / at
        total = total - harmonic * term
    return 2 / pi * ((np.log(data / 2) + EULER) * bessel_j0(data) + total)


def modified_i0(data: Array) -> Array:
    """I0(x), the modified Bessel function of order 0."""
    return series(data, 0, 1)


def modified_i1(data: Array) -> Array:
    """I1(x), the modified Bessel function of order 1."""
    return series(data, 1, 1)


def scaled_i0(data: Array) -> Array:
    """Return exp(-|x|) I0(x)."""
    return np.exp(-np.abs(data)) * modified_i0(data)


def scaled_i1(data: Array) -> Array:
    """Return exp(-|x|) I1(x)."""
    return np.exp(-np.abs(data)) * modified_i1(data)


class Bessel(Unary, abstract=True):
    """A Bessel function."""

    tensors = {"data": Tensor(low=-6, high=6)}


class Cylinder(Bessel, abstract=True):
    """A Bessel function of the first or second kind."""

    dtypes = WIDE
    differentiable = False
    tolerance = CANCELING_TERMS.because("near its zeros, a difference of two series")


class BesselJ0(Cylinder):
    """J0(data), the Bessel function of the first kind and order 0."""

    reference = bessel_j0


class BesselJ1(Cylinder):
    """J1(data), the Bessel function of the first kind and order 1."""

    reference = bessel_j1


class BesselY0(Cylinder):
    """Y0(data), the Bessel function of the second kind and order 0, with a pole at zero."""

    reference = bessel_y0
    tensors = {"data": Tensor(low=0.25, high=6)}


class I0(Bessel):
    """I0(data), the modified Bessel function of order 0."""

    reference = modified_i0
    tensors = {"data": Tensor(low=-4, high=4)}


class I0e(Bessel):
    """exp(-|data|) I0(data)."""

    reference = scaled_i0
    tensors = {"data": Tensor(low=0.01, high=6)}
    gradient_tolerance = ROUNDED_STEPS


class I1(Bessel):
    """I1(data), the modified Bessel function of order 1."""

    reference = modified_i1
    tensors = {"data": Tensor(low=-4, high=4)}


class I1e(Bessel):
    """exp(-|data|) I1(data)."""

    reference = scaled_i1
    tensors = {"data": Tensor(low=0.01, high=6)}
    gradient_tolerance = CANCELING_SUMS.because(
        "a difference of I0e and I1e, which are nearly equal"
    )
