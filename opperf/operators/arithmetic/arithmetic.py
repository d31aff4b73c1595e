"""Arithmetic of two tensors, out of place and in place, and negation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.elementwise import Binary, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array

DIVISOR = Tensor(low=0.5, high=2)
NUMERATOR = Tensor(low=-58, high=-42)
MODULUS = Tensor(low=30, high=40)
"""NUMERATOR / MODULUS lies between -2 and -1, away from the jumps at whole numbers; below zero,
where the remainder of a rounding down differs from that of a truncation."""


class Arithmetic(Binary, abstract=True):
    """An arithmetic operator of two tensors; for integers too unless it says otherwise."""

    dtypes: ClassVar[tuple[str, ...]] = DTYPES


class Add(Arithmetic):
    """lhs + rhs."""

    reference = np.add
    tags = ("core",)


class Multiply(Arithmetic):
    """lhs * rhs, element-wise."""

    reference = np.multiply
    tags = ("core",)


class Subtract(Arithmetic):
    """lhs - rhs."""

    reference = np.subtract


class Divide(Arithmetic):
    """lhs / rhs, for floating-point types only."""

    reference = np.divide
    dtypes = FLOATS
    tensors = {"lhs": Tensor(), "rhs": DIVISOR}
    tags = ("core",)


class Modulo(Arithmetic):
    """lhs - floor(lhs / rhs) * rhs: the remainder with the divisor's sign."""

    reference = np.mod
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}


class Power(Arithmetic):
    """lhs ** rhs.

    Integer results are small enough for int8.
    """

    reference = np.power
    tensors = {"lhs": Tensor(low=0.5, high=4), "rhs": Tensor(low=0, high=3)}


def times_power_of_two(lhs: Array, rhs: Array) -> Array:
    """Return lhs * 2^rhs."""
    return lhs * np.exp2(rhs)


class Ldexp(Binary):
    """lhs * 2^rhs."""

    reference = times_power_of_two
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=-3, high=3)}
    flops_per_element = 2  # a power and a product


class Negative(Unary):
    """-data."""

    reference = np.negative
    dtypes = DTYPES


class Inplace(Arithmetic, abstract=True):
    """An arithmetic operator that overwrites its left tensor."""

    differentiable = False
    tensors = {"lhs": Tensor(mutated=True), "rhs": Tensor()}


class IAdd(Inplace):
    """lhs += rhs."""

    reference = np.add
    tags = ("core",)


class ISub(Inplace):
    """lhs -= rhs."""

    reference = np.subtract


class IMul(Inplace):
    """lhs *= rhs."""

    reference = np.multiply


class IDiv(Inplace):
    """lhs /= rhs."""

    reference = np.divide
    dtypes = FLOATS
    tensors = {"lhs": Tensor(mutated=True), "rhs": DIVISOR}


class IMod(Inplace):
    """lhs %= rhs, with the divisor's sign."""

    reference = np.mod
    tensors = {"lhs": replace(NUMERATOR, mutated=True), "rhs": MODULUS}
