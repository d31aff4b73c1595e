"""Reductions that skip NaN, which one in eight elements is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.elementwise import PRODUCT_SIZES
from opperf.operators.reduction.reduction import Reduction, broadcast_back

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
    """Sum along an axis, skipping NaN."""
    return np.nansum(data, axis=axis)


def total_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Broadcast the cotangent over the elements that are numbers."""
    return (np.where(np.isnan(data), 0, broadcast_back(cotangents[0], axis, data)),)


def mean(data: Array, *, axis: int) -> Array:
    """Average along an axis, skipping NaN."""
    return np.nanmean(data, axis=axis)


def mean_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent / count, over the elements that are numbers."""
    (whole,) = total_gradient(cotangents, data, axis=axis)
    return (whole / (~np.isnan(data)).sum(axis=axis, keepdims=True),)


def product(data: Array, *, axis: int) -> Array:
    """Multiply along an axis, skipping NaN."""
    return np.nanprod(data, axis=axis)


def product_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * product / element."""
    parts = broadcast_back(cotangents[0] * product(data, axis=axis), axis, data)
    return (np.where(np.isnan(data), 0, parts / data),)


def middle(data: Array, *, axis: int) -> Array:
    """Return the lower median along an axis, skipping NaN."""
    last = (~np.isnan(data)).sum(axis=axis, keepdims=True) - 1
    return np.take_along_axis(np.sort(data, axis=axis), last // 2, axis).squeeze(axis)


def middle_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Pass the cotangent to the median element."""
    chosen = data == np.expand_dims(middle(data, axis=axis), axis)
    return (np.where(chosen, np.expand_dims(cotangents[0], axis), 0),)


class NanReduction(Reduction, abstract=True):
    """A reduction that skips NaN."""

    tensors = {"data": Tensor(initializer=some_missing)}


class NanSum(NanReduction):
    """sum(data) along an axis, skipping NaN."""

    reference = total
    gradient = total_gradient
    tolerance = CANCELING_SUMS


class NanMean(NanReduction):
    """mean(data) along an axis, skipping NaN."""

    reference = mean
    gradient = mean_gradient
    tolerance = CANCELING_SUMS


class NanProd(NanReduction):
    """prod(data) along an axis, skipping NaN; factors are near 1."""

    sizes = PRODUCT_SIZES
    tensors = {"data": Tensor(initializer=some_factors_missing)}
    dtypes = ("float64", "float32", "float16")
    reference = product
    gradient = product_gradient
    tolerance = gradient_tolerance = ROUNDED_STEPS


class NanMedian(NanReduction):
    """The lower median along an axis, skipping NaN."""

    reference = middle
    gradient = middle_gradient
    dtypes = WIDE
    flops_per_element = 0  # comparisons are no floating-point operations
