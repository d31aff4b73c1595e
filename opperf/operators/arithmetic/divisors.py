"""Quotients of whole numbers, what they leave over, and common divisors."""

from __future__ import annotations

import numpy as np

from opperf.core.tensors.tensor import INTEGERS
from opperf.operators.arithmetic.arithmetic import MODULUS, NUMERATOR, Arithmetic
from opperf.operators.logical.bitwise import integer_reference


class FMod(Arithmetic):
    """The remainder of a division rounded towards zero, which has the dividend's sign."""

    reference = np.fmod
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}


class FloorDivide(Arithmetic):
    """The quotient rounded down; it has no gradient but zero."""

    reference = np.floor_divide
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}
    differentiable = False


class LCM(Arithmetic):
    """The least common multiple of two whole numbers."""

    reference = integer_reference(np.lcm)
    dtypes = INTEGERS
    differentiable = False


class GCD(Arithmetic):
    """The greatest common divisor of two whole numbers."""

    reference = integer_reference(np.gcd)
    dtypes = INTEGERS
    differentiable = False
