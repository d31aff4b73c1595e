"""Absolute values, signs and exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.elementwise import HALF_ZERO, Binary, Predicate, Unary, chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def sign_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradient by lhs, negated where its sign was; that by rhs is zero."""
    return cotangents[0] * np.sign(lhs) * np.copysign(1, rhs), np.zeros_like(rhs)


class Abs(Unary):
    """|data|."""

    reference = np.abs
    gradient = chain(np.sign)
    dtypes = DTYPES


class Sign(Unary):
    """sign(data); its gradient is zero.

    Half of the elements are zero.
    """

    reference = np.sign
    tensors = {"data": HALF_ZERO}
    dtypes = DTYPES
    differentiable = False


class SignBit(Predicate, Unary):
    """data < 0, by the sign bit."""

    reference = np.signbit
    dtypes = FLOATS


class Frexp(Unary):
    """Mantissa m and exponent e, data = m * 2^e."""

    reference = np.frexp
    differentiable = False
    flops_per_element = 0  # bits are moved

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape, twice."""
        return super().outputs() * 2

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the data's dtype, and whole numbers."""
        return self.dtype, "int32"


class Heaviside(Binary):
    """Step function: 0 where lhs < 0, 1 where lhs > 0, rhs where lhs = 0.

    Half of lhs is zero.
    """

    reference = np.heaviside
    tensors = {"lhs": HALF_ZERO, "rhs": Tensor(low=0, high=1)}
    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations


class CopySign(Binary):
    """|lhs| with the sign of rhs."""

    reference = np.copysign
    gradient = sign_gradient
