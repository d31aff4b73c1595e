"""Arithmetic of two tensors, out of place and in place, and the negative of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.elementwise import Binary, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape

DIVISOR = Tensor(low=0.5, high=2)
NUMERATOR = Tensor(low=-58, high=-42)
MODULUS = Tensor(low=30, high=40)
"""NUMERATOR / MODULUS lies between -2 and -1, away from the jumps at whole numbers; below zero,
where the remainder of a rounding down differs from that of a truncation."""


class Arithmetic(Binary, abstract=True):
    """An arithmetic operator of two tensors; for integers as well, if not said otherwise."""

    dtypes: ClassVar[tuple[str, ...]] = DTYPES


class Add(Arithmetic):
    """The sum of two tensors."""

    reference = np.add
    tags = ("core",)


class Multiply(Arithmetic):
    """The product of two tensors, element by element."""

    reference = np.multiply
    tags = ("core",)


class Subtract(Arithmetic):
    """The difference of two tensors."""

    reference = np.subtract


class Divide(Arithmetic):
    """The quotient of two tensors; integers have no quotient of their own dtype."""

    reference = np.divide
    dtypes = FLOATS
    tensors = {"lhs": Tensor(), "rhs": DIVISOR}
    tags = ("core",)


class Modulo(Arithmetic):
    """The remainder of a division rounded down, which has the divisor's sign."""

    reference = np.mod
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}


class Power(Arithmetic):
    """The left tensor to the power of the right one; no integer here leaves int8."""

    reference = np.power
    tensors = {"lhs": Tensor(low=0.5, high=4), "rhs": Tensor(low=0, high=3)}


def times_power_of_two(lhs: Array, rhs: Array) -> Array:
    """Return x 2^y."""
    return lhs * np.exp2(rhs)


class Ldexp(Binary):
    """The left element times 2 to the power of the right one."""

    reference = times_power_of_two
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=-3, high=3)}
    flops_per_element = 2  # a power and a product


class Negative(Unary):
    """The tensor with its sign reversed."""

    reference = np.negative
    dtypes = DTYPES


class Inplace(Arithmetic, abstract=True):
    """An operator that stores its result in its left tensor."""

    differentiable = False
    tensors = {"lhs": Tensor(mutated=True), "rhs": Tensor()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the left tensor's shape, which the result must have."""
        (shape,) = super().outputs()
        self.require(shape == self.inputs["lhs"], "rhs", f"broadcasts beyond lhs, to {shape}")
        return (shape,)


class IAdd(Inplace):
    """The sum of two tensors, stored in the left one."""

    reference = np.add
    tags = ("core",)


class ISub(Inplace):
    """The difference of two tensors, stored in the left one."""

    reference = np.subtract


class IMul(Inplace):
    """The product of two tensors, stored in the left one."""

    reference = np.multiply


class IDiv(Inplace):
    """The quotient of two tensors, stored in the left one."""

    reference = np.divide
    dtypes = FLOATS
    tensors = {"lhs": Tensor(mutated=True), "rhs": DIVISOR}


class IMod(Inplace):
    """The remainder of a division rounded down, stored in the left tensor."""

    reference = np.mod
    tensors = {"lhs": replace(NUMERATOR, mutated=True), "rhs": MODULUS}
