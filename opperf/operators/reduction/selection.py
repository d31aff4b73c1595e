"""Logical reductions, counts, medians and quantiles along one axis."""

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
    """Draw zeros, and a single one in about half of the rows along the second axis."""
    del low, high  # truth values
    return (random.random(shape) < 1 / (2 * shape[min(1, len(shape) - 1)])).astype(float)


def rarely_false(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw ones, and a single zero in about half of the rows along the second axis."""
    return 1 - rarely_true(random, shape, low, high)


def few_values(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw integers from -3 to 3."""
    del low, high  # few, so that they repeat
    return random.integers(-3, 4, shape).astype(float)


def every(data: Array, *, axis: int) -> Array:
    """all(data) along an axis."""
    return np.all(data, axis=axis)


def some(data: Array, *, axis: int) -> Array:
    """any(data) along an axis."""
    return np.any(data, axis=axis)


def count(data: Array, *, axis: int) -> Array:
    """Count the nonzero elements along an axis."""
    return np.count_nonzero(data, axis=axis)


def extremes(data: Array, *, axis: int) -> tuple[Array, Array]:
    """Return the minimum and the maximum along an axis."""
    return np.min(data, axis=axis), np.max(data, axis=axis)


def lower_middle(data: Array, *, axis: int) -> Array:
    """Return the position of the lower median."""
    order = np.argsort(data, axis=axis)
    return np.take(order, (data.shape[axis] - 1) // 2, axis=axis)


def median(data: Array, *, axis: int) -> Array:
    """Return the lower median along an axis."""
    at = np.expand_dims(lower_middle(data, axis=axis), axis)
    return np.take_along_axis(data, at, axis).squeeze(axis)


def mode(data: Array, *, axis: int) -> Array:
    """Return the most frequent value along an axis, the smallest of several."""
    values = np.unique(data)
    counts = [np.count_nonzero(data == value, axis=axis) for value in values]
    return values[np.argmax(counts, axis=0)]


def quantile(data: Array, *, axis: int, q: float) -> Array:
    """Return the q-quantile along an axis, by linear interpolation."""
    return np.quantile(data, q, axis=axis).astype(data.dtype)


def quantile_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int, q: float
) -> tuple[Array]:
    """Distribute the cotangent over both neighbors by their weights."""
    order, found = np.argsort(data, axis=axis), np.zeros_like(data)
    place = q * (data.shape[axis] - 1)
    lower = min(floor(place), data.shape[axis] - 2)
    for rank, share in ((lower, 1 - place + lower), (lower + 1, place - lower)):
        at = np.take(order, [rank], axis=axis)
        np.put_along_axis(found, at, share * np.expand_dims(cotangents[0], axis), axis)
    return (found,)


def square_sums(first: Array, second: Array, third: Array) -> Array:
    """sum(data^2) of each tensor."""
    return np.asarray([np.sum(data * data) for data in (first, second, third)])


class ComparisonReduction(Reduction, abstract=True):
    """A reduction without arithmetic: comparisons only."""

    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations


class All(ComparisonReduction):
    """all(data) along an axis; true for about half of the rows."""

    tensors = {"data": Tensor(initializer=rarely_false)}
    reference = every

    def output_dtypes(self) -> tuple[str, ...]:
        """Return bool, one byte per answer."""
        return ("bool",)


class Any(All):
    """any(data) along an axis; true for about half of the rows."""

    tensors = {"data": Tensor(initializer=rarely_true)}
    reference = some


class CountNonzero(ComparisonReduction):
    """sum(data != 0) along an axis."""

    tensors = {"data": HALF_ZERO}
    reference = count

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


class AMinMax(ComparisonReduction):
    """min(data) and max(data) along an axis; Min and Max measure the gradients."""

    reference = extremes

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis, twice."""
        return super().outputs() * 2


class Median(Extremum):
    """The lower median along an axis; finding its position as well is allowed."""

    reference = median
    gradient = choice_gradient(lower_middle)
    dtypes = FLOATS


class Mode(ComparisonReduction):
    """The most frequent value along an axis of few values."""

    tensors = {"data": Tensor(initializer=few_values)}
    reference = mode


class Quantile(Reduction):
    """The q-quantile along an axis, by linear interpolation."""

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
    """sum(data^2) of three tensors in one call, as LARS computes them.

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
        "a framework may add the squares one after the other, in float32", float32=1e-4
    )

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number per tensor."""
        return ((len(PARTS),),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition per element."""
        return 2 * sum(map(prod, self.shapes.values()))
