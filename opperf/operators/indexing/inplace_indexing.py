"""Rows and elements added in place, as the gradients of lookups are collected."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

from opperf.core.tensors.tensor import ITEMSIZE, Tensor
from opperf.operators.indexing.elements import IndexPut, ScatterAdd
from opperf.operators.indexing.indexing import INDEX, Indexing
from opperf.operators.indexing.rows import IndexAdd

if TYPE_CHECKING:
    from collections.abc import Mapping

CHANGED = Tensor(mutated=True)


class InplaceIndexing(Indexing, abstract=True):
    """An operator that adds `src` to the indexed elements of `data` and leaves the others."""

    differentiable = False
    part_read: ClassVar[Mapping[str, str]] = {
        "data": "the elements at the indices; no others are written"
    }

    def changed_count(self) -> int:
        """Return how many elements change: as many as are added, unless data has fewer."""
        return min(prod(self.inputs["src"]), prod(self.inputs["data"]))

    def elements_read(self) -> dict[str, int]:
        """Return the elements that change, and all of the other tensors."""
        return {**super().elements_read(), "data": self.changed_count()}

    def output_bytes(self) -> int:
        """Return the bytes of the elements that change."""
        return self.changed_count() * ITEMSIZE[self.dtype]


class IIndexAdd(InplaceIndexing, IndexAdd):
    """data[index] += src in place, by rows; an index may repeat."""

    tensors = {"data": CHANGED, "index": INDEX, "src": Tensor()}


class IScatterAdd(InplaceIndexing, ScatterAdd):
    """data[index[i, j], j] += src[i, j] in place; an index may repeat."""

    tensors = {"data": CHANGED, "index": INDEX, "src": Tensor()}


class IIndexPut(InplaceIndexing, IndexPut):
    """data[indices[0, k], indices[1, k]] += src[k] in place; coordinates may repeat."""

    tensors = {"data": CHANGED, "indices": INDEX, "src": Tensor()}
