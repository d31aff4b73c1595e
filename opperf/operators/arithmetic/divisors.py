"""Remainders, integer quotients, and common divisors."""

from __future__ import annotations

import numpy as np

from opperf.core.tensors.tensor import INTEGERS
from opperf.operators.arithmetic.arithmetic import MODULUS, NUMERATOR, Arithmetic
from opperf.operators.logical.bitwise import integer_reference


class FMod(Arithmetic):
    """lhs - trunc(lhs / rhs) * rhs: the remainder with the dividend's sign."""

    reference = np.fmod
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}


class FloorDivide(Arithmetic):
    """floor(lhs / rhs); its gradient is zero."""

    reference = np.floor_divide
    tensors = {"lhs": NUMERATOR, "rhs": MODULUS}
    differentiable = False


class LCM(Arithmetic):
    """Least common multiple of two integers."""

    reference = integer_reference(np.lcm)
    dtypes = INTEGERS
    differentiable = False


class GCD(Arithmetic):
    """Greatest common divisor of two integers."""

    reference = integer_reference(np.gcd)
    dtypes = INTEGERS
    differentiable = False
