"""Tests for NaN and infinities, and their replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.elementwise import SHAPES, Predicate, Unary, chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.tensors.tensor import Array, Shape


def half_nonfinite(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw normal values, half of them replaced by NaN and both infinities in equal shares."""
    del low, high  # the values are not numbers
    values = random.standard_normal(shape)
    others = random.choice((np.nan, np.inf, -np.inf), shape)
    return np.where(random.integers(0, 2, shape), values, others)


def replace_nonfinite(data: Array, *, nan: float, posinf: float, neginf: float) -> Array:
    """Replace NaN and the infinities by numbers."""
    return np.nan_to_num(data, nan=nan, posinf=posinf, neginf=neginf)


def finite_slope(data: Array, *, nan: float, posinf: float, neginf: float) -> Array:
    """Return the derivative: 1 where the element is finite, else 0."""
    del nan, posinf, neginf  # constants
    return np.isfinite(data)


def all_finite(data: Array) -> Array:
    """Return whether all elements are finite."""
    return np.asarray([np.isfinite(data).all()])


def all_finite_of_three(first: Array, second: Array, third: Array) -> Array:
    """Return whether all elements of three tensors are finite."""
    return np.asarray([all(np.isfinite(data).all() for data in (first, second, third))])


class FinitenessTest(Predicate, Unary, abstract=True):
    """A test for nonfinite numbers, which half of the elements are."""

    tensors = {"data": Tensor(initializer=half_nonfinite)}
    dtypes = FLOATS


class IsNaN(FinitenessTest):
    """data is NaN."""

    reference = np.isnan


class IsInf(FinitenessTest):
    """data is infinite."""

    reference = np.isinf


class IsFinite(FinitenessTest):
    """data is finite."""

    reference = np.isfinite


class IsPosInf(FinitenessTest):
    """data is positive infinity."""

    reference = np.isposinf


class IsNegInf(FinitenessTest):
    """data is negative infinity."""

    reference = np.isneginf


class NanToNum(Unary):
    """data with NaN and infinities replaced by numbers."""

    tensors = {"data": Tensor(initializer=half_nonfinite)}
    attributes = {"nan": 0.0, "posinf": 4.0, "neginf": -4.0}
    reference = replace_nonfinite
    gradient = chain(finite_slope)
    flops_per_element = 0  # this is no floating-point operation


class AllFinite(FinitenessTest):
    """all(isfinite(data)), as loss scaling checks of every gradient.

    All elements are finite, so that no early exit saves work.
    """

    tensors = {"data": Tensor()}
    reference: ClassVar[Callable[..., Array]] = all_finite

    def outputs(self) -> tuple[Shape, ...]:
        """Return one truth value."""
        return ((1,),)


class MultiAllFinite(AllFinite):
    """all(isfinite(data)) over three tensors."""

    tensors = dict.fromkeys(("first", "second", "third"), Tensor())
    sizes = {
        size: dict.fromkeys(("first", "second", "third"), shape) for size, shape in SHAPES.items()
    }
    reference = all_finite_of_three
