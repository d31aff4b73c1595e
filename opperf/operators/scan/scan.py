"""Cumulative operators along one axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import PRODUCT_SIZES, SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


class Scan(Declaration, abstract=True):
    """One operation per element, along `axis`.

    Sizes are those of element-wise operators: rows are no longer, as the sums of longer ones may be
    lost in float16.
    """

    tensors = {"data": Tensor()}
    attributes = {"axis": -1}
    sizes: ClassVar[Sizes] = {size: {"data": shape} for size, shape in SHAPES.items()}

    def axis(self) -> int:
        """Return the axis, counted from the first."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        self.require(-len(shape) <= axis < len(shape), "axis", f"data has {len(shape)} dimensions")
        return int(axis % len(shape))

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        self.axis()
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return one operation per element."""
        return prod(self.inputs["data"])


def cumulative_sum(data: Array, *, axis: int) -> Array:
    """cumsum(data) along an axis."""
    result: Array = np.cumsum(data, axis=axis)
    return result


def cumulative_sum_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return the reversed cumulative sum of the cotangent."""
    del data
    return (np.flip(np.cumsum(np.flip(cotangents[0], axis), axis=axis), axis),)


class CumSum(Scan):
    """cumsum(data) along an axis.

    int8 is left out: a framework may keep it as the dtype of the sums, which then overflow.
    """

    reference = cumulative_sum
    gradient = cumulative_sum_gradient
    dtypes = (*FLOATS, "int64", "int32")
    tolerance = gradient_tolerance = CANCELING_SUMS


def cumulative_product(data: Array, *, axis: int) -> Array:
    """cumprod(data) along an axis."""
    return np.cumprod(data, axis=axis)


def cumulative_product_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int
) -> tuple[Array]:
    """Return the reversed cumulative sum of cotangent * output, over the element."""
    parts = cotangents[0] * cumulative_product(data, axis=axis)
    return (cumulative_sum_gradient([parts], data, axis=axis)[0] / data,)


class CumProd(Scan):
    """cumprod(data) along an axis, with factors near 1.

    Typical is the light that is left after each of NeRF's 64 coarse samples of 16384 rays.
    """

    sizes = PRODUCT_SIZES
    tensors = {"data": Tensor(low=0.95, high=1.05)}
    reference = cumulative_product
    gradient = cumulative_product_gradient
    dtypes = ("float64", "float32", "float16")
    tolerance = ROUNDED_STEPS
    gradient_tolerance = CANCELING_SUMS


def log_sums(data: Array, *, axis: int) -> Array:
    """log(cumsum(exp(data))) along an axis."""
    return np.logaddexp.accumulate(data, axis=axis)


def log_sums_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return exp(data) times the reversed cumulative sum of cotangent / exp(output)."""
    parts = cotangents[0] * np.exp(-log_sums(data, axis=axis))
    return (cumulative_sum_gradient([parts], data, axis=axis)[0] * np.exp(data),)


class LogCumSumExp(Scan):
    """log(cumsum(exp(data))) along an axis."""

    reference = log_sums
    gradient = log_sums_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS
    flops_per_element = 3  # an exponential, a sum and a logarithm


def running(choose: Any, data: Array, axis: int) -> Array:
    """Return the position of the last extremum so far, at each position."""
    chosen = choose.accumulate(data, axis=axis)
    shape = [1] * data.ndim
    shape[axis] = -1
    positions = np.arange(data.shape[axis]).reshape(shape)
    return np.maximum.accumulate(np.where(data == chosen, positions, 0), axis=axis)


def running_gradient(choose: Any) -> Any:
    """Add each cotangent to the element that was the extremum."""

    def gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
        rows = np.moveaxis(data, axis, -1)
        at = np.moveaxis(running(choose, data, axis), axis, -1)
        found = np.zeros(rows.shape)
        np.add.at(found, (*np.indices(rows.shape)[:-1], at), np.moveaxis(cotangents[0], axis, -1))
        return (np.moveaxis(found, -1, axis),)

    return gradient


def running_maximum(data: Array, *, axis: int) -> Array:
    """Return the maximum so far."""
    return np.maximum.accumulate(data, axis=axis)


def running_minimum(data: Array, *, axis: int) -> Array:
    """Return the minimum so far."""
    return np.minimum.accumulate(data, axis=axis)


class RunningExtremum(Scan, abstract=True):
    """The extremum so far; finding its position as well is allowed."""

    gradient_tolerance = CANCELING_SUMS.because("the places of a running extreme add up")
    flops_per_element = 0  # comparisons are no floating-point operations


class CumMax(RunningExtremum):
    """cummax(data): the maximum so far, along an axis."""

    reference = running_maximum
    gradient = running_gradient(np.maximum)


class CumMin(RunningExtremum):
    """cummin(data): the minimum so far, along an axis."""

    reference = running_minimum
    gradient = running_gradient(np.minimum)
