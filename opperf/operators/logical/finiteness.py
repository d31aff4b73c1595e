"""What is no finite number: telling it, and putting numbers in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.elementwise import SHAPES, Predicate, Unary, chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.tensors.tensor import Array, Shape


def with_gaps(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw normal values, of which half are replaced by NaN and both infinities, alike often."""
    del low, high  # the values are not numbers
    values = random.standard_normal(shape)
    others = random.choice((np.nan, np.inf, -np.inf), shape)
    return np.where(random.integers(0, 2, shape), values, others)


def filled(data: Array, *, nan: float, posinf: float, neginf: float) -> Array:
    """Return numbers in the place of NaN and the infinities."""
    return np.nan_to_num(data, nan=nan, posinf=posinf, neginf=neginf)


def kept(data: Array, *, nan: float, posinf: float, neginf: float) -> Array:
    """Return the derivative: 1 where the element was a finite number."""
    del nan, posinf, neginf  # constants
    return np.isfinite(data)


def all_finite(data: Array) -> Array:
    """Return whether all elements are finite numbers."""
    return np.asarray([np.isfinite(data).all()])


def all_finite_of_three(first: Array, second: Array, third: Array) -> Array:
    """Return whether all elements of all tensors are finite numbers."""
    return np.asarray([all(np.isfinite(data).all() for data in (first, second, third))])


class Telling(Predicate, Unary, abstract=True):
    """Whether an element is something else than a finite number, as half of them are."""

    tensors = {"data": Tensor(initializer=with_gaps)}
    dtypes = FLOATS


class IsNaN(Telling):
    """Whether the element is no number."""

    reference = np.isnan


class IsInf(Telling):
    """Whether the element is infinite."""

    reference = np.isinf


class IsFinite(Telling):
    """Whether the element is a finite number."""

    reference = np.isfinite


class IsPosInf(Telling):
    """Whether the element is positive infinity."""

    reference = np.isposinf


class IsNegInf(Telling):
    """Whether the element is negative infinity."""

    reference = np.isneginf


class NanToNum(Unary):
    """The elements with numbers in the place of NaN and the infinities."""

    tensors = {"data": Tensor(initializer=with_gaps)}
    attributes = {"nan": 0.0, "posinf": 4.0, "neginf": -4.0}
    reference = filled
    gradient = chain(kept)
    flops_per_element = 0  # this is no floating-point operation


class AllFinite(Telling):
    """Whether all elements are finite numbers, as mixed precision asks of every gradient.

    They are, so that no look at the rest is saved.
    """

    tensors = {"data": Tensor()}
    reference: ClassVar[Callable[..., Array]] = all_finite

    def outputs(self) -> tuple[Shape, ...]:
        """Return one answer."""
        return ((1,),)


class MultiAllFinite(AllFinite):
    """Whether all elements of three tensors are finite numbers."""

    tensors = dict.fromkeys(("first", "second", "third"), Tensor())
    sizes = {
        size: dict.fromkeys(("first", "second", "third"), shape) for size, shape in SHAPES.items()
    }
    reference = all_finite_of_three
