"""Unique values, histograms and order statistics; sizes as in sorting.py."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.indexing.indexing import INDEX, index_below
from opperf.operators.sorting.sorting import SORTED_SIZES, Ordering

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape

EXACT = ("float64", "float32")
VECTORS = {
    "small": {"data": (1024,)},
    "typical": {"data": (131072,)},
    "large": {"data": (2097152,)},
    "skewed": {"data": (3,)},
}


def pairs(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw every second integer twice, in random order."""
    del low, high
    return random.permutation(np.arange(prod(shape)) // 2).reshape(shape)


def runs(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw every second integer twice, in ascending order."""
    return np.sort(pairs(random, shape, low, high))


class RepeatedValues(Declaration, abstract=True):
    """An operator on a vector in which each value occurs twice."""

    sizes = VECTORS
    dtypes = EXACT
    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations

    def outputs(self) -> tuple[Shape, ...]:
        """Return half the elements, rounded up."""
        self.require_rank("data", 1)
        (count,) = self.inputs["data"]
        return (((count + 1) // 2,),)


def unique(data: Array) -> Array:
    """Return the distinct values in ascending order."""
    return np.unique(data)


class Unique(RepeatedValues):
    """The distinct values of a vector, in ascending order; each occurs twice."""

    tensors = {"data": Tensor(initializer=pairs)}
    reference = unique


class UniqueConsecutive(RepeatedValues):
    """The values of a vector that differ from their predecessor; each occurs twice."""

    tensors = {"data": Tensor(initializer=runs)}
    reference = unique


def histogram(data: Array, *, bins: int, low: float, high: float) -> tuple[Array, Array]:
    """Count the values in each bin."""
    counts, edges = np.histogram(data, bins, (low, high))
    return counts, edges.astype(data.dtype)


class Histogram(Declaration):
    """The number of values in each bin, and the edges of the bins."""

    tensors = {"data": Tensor()}
    attributes = {"bins": 64, "low": -4.0, "high": 4.0}
    sizes = VECTORS
    reference = histogram
    dtypes = EXACT
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return one count per bin, and one more edge."""
        bins, low = self.inputs["bins"], self.inputs["low"]
        self.require(bins >= 1, "bins", "must be at least 1")
        self.require(self.inputs["high"] > low, "high", f"must be above low={low}")
        return (bins,), (bins + 1,)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the dtypes of counts and edges."""
        return "int64", self.dtype

    def flop_count(self) -> int:
        """Return a subtraction and a multiplication per value."""
        return 2 * prod(self.inputs["data"])


def bin_count(data: Array, *, minlength: int) -> Array:
    """Count each integer."""
    return np.bincount(data, minlength=minlength)


class BinCount(Declaration):
    """The frequency of each integer below `minlength`, as int64 regardless of the dtype."""

    tensors = {"data": INDEX}
    attributes = {"minlength": 1000}
    sizes = VECTORS
    reference = bin_count
    dtypes = ("float32",)
    differentiable = False
    flops_per_element = 0  # counting is no floating-point operation

    def domains(self) -> Mapping[str, Tensor]:
        """Return integers below the length."""
        return {"data": index_below(self.inputs["minlength"])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one count per integer."""
        self.require_rank("data", 1)
        self.require(self.inputs["minlength"] > 1, "minlength", "must be at least 2")
        return ((self.inputs["minlength"],),)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


def percentile(data: Array, *, q: float, axis: int) -> Any:
    """Interpolate linearly between the values next to a rank."""
    return np.percentile(data, q, axis=axis).astype(data.dtype)


class Percentile(Ordering):
    """The q-th percentile of each row, by linear interpolation; forward only."""

    attributes = {"q": 37.5, "axis": -1}
    sizes = SORTED_SIZES
    reference = percentile
    dtypes = EXACT
    differentiable = False
    positions = None

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the axis."""
        shape, axis = self.inputs["data"], self.axis()
        self.require(0 <= self.inputs["q"] <= 100, "q", "must lie in [0, 100]")  # noqa: PLR2004 - percent
        return ((*shape[:axis], *shape[axis + 1 :]),)


def kth_value(data: Array, *, k: int, axis: int) -> tuple[Array, Array]:
    """Return the k-th smallest element along an axis, and its position."""
    order = np.argsort(data, axis=axis, kind="stable")
    at = np.take(order, [k - 1], axis)
    return np.take_along_axis(data, at, axis).squeeze(axis), at.squeeze(axis)


def kth_value_gradient(
    cotangents: Sequence[Array], data: Array, *, k: int, axis: int
) -> tuple[Array]:
    """Pass the cotangent to the position of each value."""
    result = np.zeros_like(data)
    at = np.expand_dims(kth_value(data, k=k, axis=axis)[1], axis)
    np.put_along_axis(result, at, np.expand_dims(cotangents[0], axis), axis)
    return (result,)


class KthValue(Ordering):
    """The k-th smallest element of each row, and its position."""

    attributes = {"k": 10, "axis": -1}
    sizes = SORTED_SIZES
    reference = kth_value
    gradient = kth_value_gradient
    positions = 1
    dtypes = EXACT

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of values and positions."""
        shape, axis, k = self.inputs["data"], self.axis(), self.inputs["k"]
        self.require(1 <= k <= shape[axis], "k", f"must lie in [1, {shape[axis]}]")
        return ((*shape[:axis], *shape[axis + 1 :]),) * 2
