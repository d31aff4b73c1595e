"""Comparisons of two tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.elementwise import HALF_ZERO, SHAPES, Binary, Predicate, Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape

TOLERATED = {"rtol": 1e-5, "atol": 1e-8}
ALMOST_ONE = Tensor(low=1, high=1 + 1e-6)
"""Elements that are close to one another, so that no look at the rest is saved."""


class BinaryComparison(Predicate, Binary, abstract=True):
    """A comparison of two tensors; a quarter of the pairs are equal."""

    tensors = {"lhs": HALF_ZERO, "rhs": HALF_ZERO}


class Lesser(BinaryComparison):
    """lhs < rhs."""

    reference = np.less


class LesserEqual(BinaryComparison):
    """lhs <= rhs."""

    reference = np.less_equal


class Greater(BinaryComparison):
    """lhs > rhs."""

    reference = np.greater
    tags = ("core",)


class GreaterEqual(BinaryComparison):
    """lhs >= rhs."""

    reference = np.greater_equal


class Equal(BinaryComparison):
    """lhs == rhs."""

    reference = np.equal


class NotEqual(BinaryComparison):
    """lhs != rhs."""

    reference = np.not_equal


def small_integers(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw integers from 0 to 15."""
    del low, high  # few, so that they repeat
    return random.integers(0, 16, shape)


def even_numbers(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Return 0, 2, 4, ..."""
    del random, low, high  # nothing is drawn
    return 2 * np.arange(shape[0])


def all_close(lhs: Array, rhs: Array, *, rtol: float, atol: float) -> Array:
    """Return whether |lhs - rhs| <= atol + rtol * |rhs| everywhere."""
    return np.asarray(np.isclose(lhs, rhs, rtol, atol).all())


class IsClose(BinaryComparison):
    """|lhs - rhs| <= atol + rtol * |rhs|."""

    attributes = TOLERATED
    reference = np.isclose
    dtypes = FLOATS


class AllClose(BinaryComparison):
    """Whether |lhs - rhs| <= atol + rtol * |rhs| everywhere.

    It holds for the inputs, so that no early exit saves work.
    """

    attributes = TOLERATED
    tensors = {"lhs": ALMOST_ONE, "rhs": ALMOST_ONE}
    reference = all_close
    dtypes = FLOATS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of a scalar."""
        super().outputs()
        return ((),)


def is_in(data: Array, among: Array) -> Array:
    """Return whether each element of data is among the values of `among`."""
    return np.isin(data, among)


class IsIn(Predicate, Unary):
    """Whether each element of data is among eight values; true for about half."""

    tensors = {
        "data": Tensor(low=0, high=15, initializer=small_integers),
        "among": Tensor(low=0, high=127, initializer=even_numbers),
    }
    sizes = {size: {"data": shape, "among": (8,)} for size, shape in SHAPES.items()}
    reference = is_in

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("among", 1)
        return (self.inputs["data"],)
