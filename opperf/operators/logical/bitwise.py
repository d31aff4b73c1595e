"""Bitwise operators on integers."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.tensors.tensor import INTEGERS, Tensor
from opperf.declaring.elementwise import Binary, Unary

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.tensors.tensor import Array


def integer_reference(function: Callable[..., Array]) -> Any:
    """Return a reference that converts its float64 arrays to integers first."""

    @wraps(function, assigned=("__name__",))
    def reference(*arrays: Array) -> Array:
        whole = [a.astype(np.int64) if a.dtype.kind == "f" else a for a in arrays]
        return function(*whole)

    reference.__doc__ = f"Return numpy.{function.__name__} of whole numbers."
    return reference


class Bitwise(Binary, abstract=True):
    """A bitwise operator on integers, returning their dtype."""

    dtypes = INTEGERS
    differentiable = False
    flops_per_element = 0  # these are no floating-point operations


class BitwiseAnd(Bitwise):
    """lhs & rhs."""

    reference = integer_reference(np.bitwise_and)


class BitwiseOr(Bitwise):
    """lhs | rhs."""

    reference = integer_reference(np.bitwise_or)


class BitwiseXor(Bitwise):
    """lhs ^ rhs."""

    reference = integer_reference(np.bitwise_xor)


class BitwiseNot(Unary):
    """~data."""

    reference = integer_reference(np.bitwise_not)
    dtypes = INTEGERS
    differentiable = False
    flops_per_element = 0  # this is no floating-point operation


class LeftShift(Bitwise):
    """lhs << rhs."""

    tensors = {"lhs": Tensor(low=-8, high=7), "rhs": Tensor(low=0, high=4)}
    reference = integer_reference(np.left_shift)


class RightShift(Bitwise):
    """lhs >> rhs, keeping the sign."""

    tensors = {"lhs": Tensor(low=-128, high=127), "rhs": Tensor(low=0, high=4)}
    reference = integer_reference(np.right_shift)
