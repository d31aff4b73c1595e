"""Comparisons of a tensor with a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.declaring.elementwise import HALF_ZERO, Predicate, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


def lesser(data: Array, *, scalar: float) -> Array:
    """Return whether x is less than the number."""
    return np.less(data, scalar)


def lesser_equal(data: Array, *, scalar: float) -> Array:
    """Return whether x is at most the number."""
    return np.less_equal(data, scalar)


def greater(data: Array, *, scalar: float) -> Array:
    """Return whether x is greater than the number."""
    return np.greater(data, scalar)


def greater_equal(data: Array, *, scalar: float) -> Array:
    """Return whether x is at least the number."""
    return np.greater_equal(data, scalar)


def equal(data: Array, *, scalar: float) -> Array:
    """Return whether x is the number."""
    return np.equal(data, scalar)


def not_equal(data: Array, *, scalar: float) -> Array:
    """Return whether x is another number."""
    return np.not_equal(data, scalar)


class ScalarComparison(Predicate, Unary, abstract=True):
    """A comparison with a number, by default zero, which half of the elements are."""

    tensors = {"data": HALF_ZERO}
    attributes = {"scalar": 0.0}


class LesserScalar(ScalarComparison):
    """Whether an element is less than a number."""

    attributes = {"scalar": 1.0}
    reference = lesser


class LesserEqualScalar(ScalarComparison):
    """Whether an element is at most a number."""

    reference = lesser_equal


class GreaterScalar(ScalarComparison):
    """Whether an element is greater than a number, as in the mask of a ReLU."""

    reference = greater


class GreaterEqualScalar(ScalarComparison):
    """Whether an element is at least a number."""

    attributes = {"scalar": 1.0}
    reference = greater_equal


class EqualScalar(ScalarComparison):
    """Whether an element equals a number, as padding is told from tokens."""

    reference = equal


class NotEqualScalar(ScalarComparison):
    """Whether an element differs from a number."""

    reference = not_equal
