"""Reductions that count or choose: truth values, ranks and what is frequent."""

from __future__ import annotations

from math import floor, prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import FLOATS, WIDE, Tensor
from opperf.declaring.elementwise import HALF_ZERO, SHAPES
from opperf.operators.reduction.reduction import Extremum, Reduction, choice_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


PARTS = ("first", "second", "third")


def rarely_true(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw zeros, and a one in about half of the rows along the second axis."""
    del low, high  # truth values
    return (random.random(shape) < 1 / (2 * shape[min(1, len(shape) - 1)])).astype(float)


def rarely_false(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw ones, and a zero in about half of the rows along the second axis."""
    return 1 - rarely_true(random, shape, low, high)


def few_values(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw whole numbers from -3 to 3."""
    del low, high  # few, so that they repeat
    return random.integers(-3, 4, shape).astype(float)


def every(data: Array, *, axis: int) -> Array:
    """Return whether all elements along an axis are true."""
    return np.all(data, axis=axis)


def some(data: Array, *, axis: int) -> Array:
    """Return whether one element along an axis is true, or more."""
    return np.any(data, axis=axis)


def count(data: Array, *, axis: int) -> Array:
    """Return how many elements along an axis are not zero."""
    return np.count_nonzero(data, axis=axis)


def extremes(data: Array, *, axis: int) -> tuple[Array, Array]:
    """Return the smallest and the largest element along an axis."""
    return np.min(data, axis=axis), np.max(data, axis=axis)


def lower_middle(data: Array, *, axis: int) -> Array:
    """Return where the lower median is, as PyTorch takes it."""
    order = np.argsort(data, axis=axis)
    return np.take(order, (data.shape[axis] - 1) // 2, axis=axis)


def median(data: Array, *, axis: int) -> Array:
    """Return the lower median along an axis, as PyTorch takes it."""
    at = np.expand_dims(lower_middle(data, axis=axis), axis)
    return np.take_along_axis(data, at, axis).squeeze(axis)


def mode(data: Array, *, axis: int) -> Array:
    """Return the most frequent value along an axis, the smallest of several."""
    values = np.unique(data)
    counts = [np.count_nonzero(data == value, axis=axis) for value in values]
    return values[np.argmax(counts, axis=0)]


def quantile(data: Array, *, axis: int, q: float) -> Array:
    """Return the value that a share q of the elements does not exceed, interpolated."""
    return np.quantile(data, q, axis=axis).astype(data.dtype)


def quantile_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int, q: float
) -> tuple[Array]:
    """Hand the gradient to both neighbors, each by its share."""
    order, found = np.argsort(data, axis=axis), np.zeros_like(data)
    place = q * (data.shape[axis] - 1)
    lower = min(floor(place), data.shape[axis] - 2)
    for rank, share in ((lower, 1 - place + lower), (lower + 1, place - lower)):
        at = np.take(order, [rank], axis=axis)
        np.put_along_axis(found, at, share * np.expand_dims(cotangents[0], axis), axis)
    return (found,)


def square_sums(first: Array, second: Array, third: Array) -> Array:
    """Return the sum of squares of each tensor."""
    return np.asarray([np.sum(data * data) for data in (first, second, third)])


class Counting(Reduction, abstract=True):
    """A reduction in which nothing is computed but told."""

    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations


class All(Counting):
    """Whether all elements along an axis are true, as in half of the rows."""

    tensors = {"data": Tensor(initializer=rarely_false)}
    reference = every

    def output_dtypes(self) -> tuple[str, ...]:
        """Return a byte an answer."""
        return ("bool",)


class Any(All):
    """Whether one element along an axis is true, or more, as in half of the rows."""

    tensors = {"data": Tensor(initializer=rarely_true)}
    reference = some


class CountNonzero(Counting):
    """How many elements along an axis are not zero."""

    tensors = {"data": HALF_ZERO}
    reference = count

    def output_dtypes(self) -> tuple[str, ...]:
        """Return whole numbers."""
        return ("int64",)


class AMinMax(Counting):
    """The smallest and the largest element along an axis; PyTorch differentiates Min and Max."""

    reference = extremes

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis, twice."""
        return super().outputs() * 2


class Median(Extremum):
    """The lower median along an axis; PyTorch finds its position as well."""

    reference = median
    gradient = choice_gradient(lower_middle)
    dtypes = FLOATS


class Mode(Counting):
    """The most frequent value along an axis of few values."""

    tensors = {"data": Tensor(initializer=few_values)}
    reference = mode


class Quantile(Reduction):
    """The value that a share q of the elements along an axis does not exceed, interpolated."""

    attributes = {"axis": 1, "q": 0.875}
    reference = quantile
    gradient = quantile_gradient
    dtypes = WIDE
    flops_per_element = 0  # comparisons are no floating-point operations

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis."""
        found = super().outputs()
        self.require(0 <= self.inputs["q"] <= 1, "q", "must lie in [0, 1]")
        self.require(self.inputs["data"][self.inputs["axis"]] > 1, "data", "has single elements")
        return found


class MultiSumSq(Reduction):
    """The sum of squares of each of three tensors in one call, as LARS asks for.

    Typical are parts of a projection of BERT-base.
    """

    tensors = dict.fromkeys(PARTS, Tensor())
    attributes = {}
    sizes: ClassVar[Sizes] = {
        size: dict.fromkeys(PARTS, shape)
        for size, shape in {**SHAPES, "typical": (512, 768)}.items()
    }
    reference = square_sums
    dtypes = ("float32",)
    differentiable = False
    tolerance = CANCELING_SUMS.with_atol(
        "MXNet adds the squares one after the other, in float32", float32=1e-4
    )

    def outputs(self) -> tuple[Shape, ...]:
        """Return a number a tensor."""
        return ((len(PARTS),),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition an element."""
        return 2 * sum(map(prod, self.shapes.values()))
