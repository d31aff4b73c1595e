"""Sorting and searching.

Large is beyond the L2 cache; skewed is sampling from GPT-2: 50257 logits, for 8 tokens. The coarser
the dtype, the more elements are equal: any order among those is right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.ties import TieSensitive, find_ties, settle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape

SIZES = {
    "small": {"data": (32, 128)},
    "typical": {"data": (512, 1024)},
    "large": {"data": (4096, 4096)},
    "skewed": {"data": (8, 50257)},
}
SORTED_SIZES = {**SIZES, "typical": {"data": (128, 1024)}, "large": {"data": (1024, 4096)}}
"""Sorting a whole row takes many times as long as finding its largest elements."""


class Ordering(TieSensitive, abstract=True):
    """An operator that orders the elements along an axis.

    `positions` is the index of the output that holds positions, if any.
    """

    tensors = {"data": Tensor()}
    attributes = {"axis": -1}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = SIZES
    dtypes: ClassVar[tuple[str, ...]] = DTYPES
    positions: ClassVar[int | None] = 0

    def axis(self) -> int:
        """Return the axis, counted from the first one, or refuse it."""
        rank, axis = len(self.inputs["data"]), self.inputs["axis"]
        self.require(-rank <= axis < rank, "axis", f"data has {rank} dimensions")
        return int(axis) % rank

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.axis()
        return (self.inputs["data"],)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the dtypes of elements and of int64 positions."""
        kinds = [self.dtype] * len(self.outputs())
        if self.positions is not None:
            kinds[self.positions] = "int64"
        return tuple(kinds)

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Accept the position of any of several equal elements."""
        expected, at, axis = [*check.expected], self.positions, self.axis()
        if at is not None and len(check.actual) == len(expected):
            data = check.arrays[0]
            dropped = expected[at].ndim < data.ndim
            found, right = (
                np.expand_dims(positions, axis) if dropped else positions
                for positions in (check.actual[at], expected[at])
            )
            expected[at] = settle(data, found, right, axis).reshape(expected[at].shape)
        return super().check_outputs(replace(check, expected=expected))

    def ties(self, arrays: Sequence[Array]) -> Array:
        """Return where another element has the same value."""
        return find_ties(arrays[0], self.axis())


def topk(data: Array, *, k: int) -> tuple[Array, Array]:
    """Return the k largest elements of each row in descending order, and their positions."""
    order = np.argsort(-data, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(data, order, axis=-1), order


def topk_gradient(cotangents: Sequence[Array], data: Array, *, k: int) -> tuple[Array]:
    """Pass the cotangent to the position of each value."""
    gradient = np.zeros_like(data)
    np.put_along_axis(gradient, topk(data, k=k)[1], cotangents[0], axis=-1)
    return (gradient,)


class TopK(Ordering):
    """The k largest elements of each row in descending order, and their positions."""

    attributes = {"k": 10}
    sizes = {**SIZES, "skewed": {"data": (8, 50257), "k": 50}}
    reference = topk
    gradient = topk_gradient
    positions = 1
    tags = ("core",)

    def axis(self) -> int:
        """Return the last axis."""
        return len(self.inputs["data"]) - 1

    def outputs(self) -> tuple[Shape, ...]:
        """Return k values and k positions per row."""
        shape, k = self.inputs["data"], self.inputs["k"]
        self.require_least_rank("data", 1)
        self.require(1 <= k <= shape[-1], "k", f"must lie in [1, {shape[-1]}], the last axis")
        return ((*shape[:-1], k),) * 2


def sort(data: Array, *, axis: int) -> Array:
    """Sort along an axis, ascending."""
    result: Array = np.sort(data, axis=axis)
    return result


def sort_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Pass the cotangent to the position of each value."""
    gradient = np.empty_like(data)
    np.put_along_axis(gradient, np.argsort(data, axis=axis), cotangents[0], axis)
    return (gradient,)


class Sort(Ordering):
    """sort(data) along an axis, ascending.

    Only the values are returned; finding the positions as well, for the backward, is allowed.
    """

    sizes = SORTED_SIZES
    reference = sort
    gradient = sort_gradient
    positions = None
    tags = ("core",)


def argsort(data: Array, *, axis: int) -> Array:
    """Return the positions of the elements in ascending order."""
    return np.argsort(data, axis=axis, kind="stable")


class ArgSort(Ordering):
    """argsort(data) along an axis, ascending."""

    sizes = SORTED_SIZES
    reference = argsort
    differentiable = False


class PositionSearch(Ordering, abstract=True):
    """The position of one element per row; skewed is greedy decoding from GPT-2's logits."""

    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the axis."""
        shape, axis = self.inputs["data"], self.axis()
        return ((*shape[:axis], *shape[axis + 1 :]),)


def argmax(data: Array, *, axis: int) -> Array:
    """Return the position of the maximum along an axis."""
    return np.argmax(data, axis=axis)


class ArgMax(PositionSearch):
    """argmax(data) along an axis."""

    reference = argmax
    tags = ("core",)


def max_with_indices(data: Array, *, axis: int) -> tuple[Array, Array]:
    """Return the maximum along an axis, and its position."""
    return np.max(data, axis=axis), np.argmax(data, axis=axis)


def max_with_indices_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int
) -> tuple[Array]:
    """Pass the cotangent to the position of the maximum."""
    gradient = np.zeros_like(data)
    at = np.expand_dims(np.argmax(data, axis=axis), axis)
    np.put_along_axis(gradient, at, np.expand_dims(cotangents[0], axis), axis)
    return (gradient,)


class MaxWithIndices(PositionSearch):
    """max(data) along an axis, and its position, in one call."""

    reference = max_with_indices
    gradient = max_with_indices_gradient
    differentiable = True
    positions = 1

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the axis, of the values and of the positions."""
        return super().outputs() * 2


def argmin(data: Array, *, axis: int) -> Array:
    """Return the position of the minimum along an axis."""
    return np.argmin(data, axis=axis)


class ArgMin(PositionSearch):
    """argmin(data) along an axis."""

    reference = argmin
