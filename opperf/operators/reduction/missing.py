"""Reductions that pass over what is not a number, as one in eight elements is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.elementwise import PRODUCT_SIZES
from opperf.operators.reduction.reduction import Reduction, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def some_missing(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw normal values and NaN."""
    del low, high  # NaN lies in no range
    return np.where(random.integers(0, 8, shape), random.standard_normal(shape), np.nan)


def some_factors_missing(
    random: np.random.Generator, shape: Shape, low: float, high: float
) -> Array:
    """Draw factors near 1 and NaN."""
    return 1 + some_missing(random, shape, low, high) / 64


def total(data: Array, *, axis: int) -> Array:
    """Add the numbers along an axis."""
    return np.nansum(data, axis=axis)


def total_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand each sum's gradient to its terms."""
    return (np.where(np.isnan(data), 0, spread(cotangents[0], axis, data)),)


def mean(data: Array, *, axis: int) -> Array:
    """Average the numbers along an axis."""
    return np.nanmean(data, axis=axis)


def mean_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand each mean's gradient to its terms in equal shares."""
    (whole,) = total_gradient(cotangents, data, axis=axis)
    return (whole / (~np.isnan(data)).sum(axis=axis, keepdims=True),)


def product(data: Array, *, axis: int) -> Array:
    """Multiply the numbers along an axis."""
    return np.nanprod(data, axis=axis)


def product_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Multiply by all other factors."""
    parts = spread(cotangents[0] * product(data, axis=axis), axis, data)
    return (np.where(np.isnan(data), 0, parts / data),)


def middle(data: Array, *, axis: int) -> Array:
    """Return the lower median of the numbers along an axis, as PyTorch takes it."""
    last = (~np.isnan(data)).sum(axis=axis, keepdims=True) - 1
    return np.take_along_axis(np.sort(data, axis=axis), last // 2, axis).squeeze(axis)


def middle_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand each gradient to the element in the middle."""
    chosen = data == np.expand_dims(middle(data, axis=axis), axis)
    return (np.where(chosen, np.expand_dims(cotangents[0], axis), 0),)


class Missing(Reduction, abstract=True):
    """A reduction of the elements that are numbers."""

    tensors = {"data": Tensor(initializer=some_missing)}


class NanSum(Missing):
    """The sum along an axis, NaN passed over."""

    reference = total
    gradient = total_gradient
    tolerance = CANCELING_SUMS


class NanMean(Missing):
    """The mean along an axis, NaN passed over."""

    reference = mean
    gradient = mean_gradient
    tolerance = CANCELING_SUMS


class NanProd(Missing):
    """The product along an axis of factors near 1, NaN passed over."""

    sizes = PRODUCT_SIZES
    tensors = {"data": Tensor(initializer=some_factors_missing)}
    dtypes = ("float64", "float32", "float16")
    reference = product
    gradient = product_gradient
    tolerance = gradient_tolerance = ROUNDED_STEPS


class NanMedian(Missing):
    """The lower median along an axis, NaN passed over."""

    reference = middle
    gradient = middle_gradient
    dtypes = WIDE
    flops_per_element = 0  # comparisons are no floating-point operations
