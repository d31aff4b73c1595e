"""The size of a number apart from its sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.elementwise import HALF_ZERO, Binary, Predicate, Unary, chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def sign_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Reverse the gradient where the sign was reversed; the other's size does not count."""
    return cotangents[0] * np.sign(lhs) * np.copysign(1, rhs), np.zeros_like(rhs)


class Abs(Unary):
    """The absolute value of each element."""

    reference = np.abs
    gradient = chain(np.sign)
    dtypes = DTYPES


class Sign(Unary):
    """The sign of each element; half of them are zero, and no gradient is but zero."""

    reference = np.sign
    tensors = {"data": HALF_ZERO}
    dtypes = DTYPES
    differentiable = False


class SignBit(Predicate, Unary):
    """Whether an element is negative."""

    reference = np.signbit
    dtypes = FLOATS


class Frexp(Unary):
    """Mantissa and exponent of each element."""

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
    """The step function of the left element, the right one where it is zero, as half of them."""

    reference = np.heaviside
    tensors = {"lhs": HALF_ZERO, "rhs": Tensor(low=0, high=1)}
    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations


class CopySign(Binary):
    """The size of the left element with the sign of the right one."""

    reference = np.copysign
    gradient = sign_gradient
