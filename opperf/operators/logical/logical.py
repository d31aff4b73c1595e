"""Logical operators on tensors whose nonzero elements are true."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from opperf.declaring.elementwise import HALF_ZERO, Binary, Predicate, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


class Connective(Predicate, Binary, abstract=True):
    """A binary logical operator; the four pairs of truth values are equally frequent."""

    tensors = {"lhs": HALF_ZERO, "rhs": HALF_ZERO}


class LogicalAnd(Connective):
    """lhs and rhs."""

    reference = np.logical_and


def logical_and_in_place(lhs: Array, rhs: Array) -> Array:
    """Return 1 where both are nonzero and 0 elsewhere, in the dtype of lhs."""
    return np.logical_and(lhs, rhs).astype(lhs.dtype)


class ILogicalAnd(Connective):
    """lhs = lhs and rhs, in place: 1 or 0 in its own dtype."""

    tensors = {"lhs": replace(HALF_ZERO, mutated=True), "rhs": HALF_ZERO}
    reference = logical_and_in_place

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the dtype of lhs, which holds the result."""
        return (self.dtype,)


class LogicalOr(Connective):
    """lhs or rhs."""

    reference = np.logical_or


class LogicalXor(Connective):
    """lhs xor rhs."""

    reference = np.logical_xor


class LogicalNot(Predicate, Unary):
    """not data."""

    tensors = {"data": HALF_ZERO}
    reference = np.logical_not
