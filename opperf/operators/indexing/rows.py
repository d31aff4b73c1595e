"""Writing and adding whole rows of a matrix at a vector of indices.

Typical are 614 rows of BERT-base's hidden states, of 8 sequences of 512. Indices are distinct where
rows are overwritten; they repeat where rows are added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.moving import gather_gradient
from opperf.operators.indexing.indexing import INDEX, Indexing, Replacement, index_below

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


ROWS = {
    "small": ((64, 32), 16),
    "typical": ((4096, 768), 614),
    "large": ((16384, 768), 8192),
    "skewed": ((10007, 3), 1009),
}
"""The shape of a matrix, and the number of indexed rows."""


def distinct_below(count: int, *, order: bool = False) -> Tensor:
    """Return the tensor of a distinct index; `order` repeats its order in every column."""

    def draw(random: np.random.Generator, size: Shape, low: float, high: float) -> Array:
        del low, high
        if not order:
            return random.choice(count, size, replace=False)
        return np.argsort(random.random((count, *size[1:])), axis=0)[: size[0]]

    return Tensor(dtype="int64", differentiable=False, low=0, high=count - 1, initializer=draw)


class RepeatedIndex(Indexing, abstract=True):
    """An operator whose index repeats rows."""

    def domains(self) -> Mapping[str, Tensor]:
        """Return row indices of the data, with repetitions."""
        return {**self.tensors, "index": index_below(self.inputs["data"][0])}


class RowWise(Indexing, abstract=True):
    """An operator that writes or adds `src` to the rows of `data` at `index`."""

    tensors = {"data": Tensor(), "index": INDEX, "src": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape, "index": (count,), "src": (count, shape[1])}
        for size, (shape, count) in ROWS.items()
    }

    def domains(self) -> Mapping[str, Tensor]:
        """Return distinct row indices of the data."""
        return {**self.tensors, "index": distinct_below(self.inputs["data"][0])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        self.require_rank("index", 1)
        (rows, columns), (count,) = self.inputs["data"], self.inputs["index"]
        self.require(count <= rows, "index", f"must be at most {rows}")
        if "src" in self.tensors:
            expected = (count, columns)
            self.require(self.inputs["src"] == expected, "src", f"must be {expected}")
        return ((rows, columns),)


def index_copy(data: Array, index: Array, src: Array) -> Array:
    """A copy of data with result[index] = src."""
    result = data.copy()
    result[index] = src
    return result


class IndexCopy(Replacement, RowWise):
    """A copy of data with result[index] = src, by rows."""

    reference = index_copy
    gradient = gather_gradient(index_copy)


def index_add(data: Array, index: Array, src: Array) -> Array:
    """result[index] += src."""
    result = data.copy()
    np.add.at(result, index, src)
    return result


def index_add_gradient(
    cotangents: Sequence[Array], data: Array, index: Array, src: Array
) -> tuple[Array, Array]:
    """Return the cotangent, and its rows at index."""
    del data, src
    return cotangents[0], cotangents[0][index]


class IndexAdd(RepeatedIndex, RowWise):
    """data with result[index] += src, by rows; an index may repeat."""

    reference = index_add
    gradient = index_add_gradient
    tolerance = CANCELING_SUMS.because("what goes to the same place adds up")

    def flop_count(self) -> int:
        """Return one addition per element of src."""
        rows, columns = self.inputs["src"]
        return int(rows) * int(columns)


def index_fill(data: Array, index: Array, *, value: float) -> Array:
    """A copy of data with result[index] = value."""
    result = data.copy()
    result[index] = value
    return result


class IndexFill(Replacement, RowWise):
    """A copy of data with result[index] = value, by rows."""

    tensors = {"data": Tensor(), "index": INDEX}
    attributes = {"value": 1.0}
    sizes = {size: {"data": shape, "index": (count,)} for size, (shape, count) in ROWS.items()}
    reference = index_fill
    gradient = gather_gradient(index_fill, value=0.0)

    def replacement_count(self) -> int:
        """Return the number of elements in the indexed rows."""
        return int(self.inputs["index"][0] * self.inputs["data"][1])
