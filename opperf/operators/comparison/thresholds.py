"""Comparisons of a tensor with a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.declaring.elementwise import HALF_ZERO, Predicate, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


def lesser(data: Array, *, scalar: float) -> Array:
    """Return data < scalar."""
    return np.less(data, scalar)


def lesser_equal(data: Array, *, scalar: float) -> Array:
    """Return data <= scalar."""
    return np.less_equal(data, scalar)


def greater(data: Array, *, scalar: float) -> Array:
    """Return data > scalar."""
    return np.greater(data, scalar)


def greater_equal(data: Array, *, scalar: float) -> Array:
    """Return data >= scalar."""
    return np.greater_equal(data, scalar)


def equal(data: Array, *, scalar: float) -> Array:
    """Return data == scalar."""
    return np.equal(data, scalar)


def not_equal(data: Array, *, scalar: float) -> Array:
    """Return data != scalar."""
    return np.not_equal(data, scalar)


class ScalarComparison(Predicate, Unary, abstract=True):
    """A comparison with a number, zero by default, which half of the elements are."""

    tensors = {"data": HALF_ZERO}
    attributes = {"scalar": 0.0}


class LesserScalar(ScalarComparison):
    """data < scalar."""

    attributes = {"scalar": 1.0}
    reference = lesser


class LesserEqualScalar(ScalarComparison):
    """data <= scalar."""

    reference = lesser_equal


class GreaterScalar(ScalarComparison):
    """data > scalar, as in the mask of a ReLU."""

    reference = greater


class GreaterEqualScalar(ScalarComparison):
    """data >= scalar."""

    attributes = {"scalar": 1.0}
    reference = greater_equal


class EqualScalar(ScalarComparison):
    """data == scalar, as padding tokens are found."""

    reference = equal


class NotEqualScalar(ScalarComparison):
    """data != scalar."""

    reference = not_equal
