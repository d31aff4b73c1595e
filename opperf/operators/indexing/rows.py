"""Whole rows of a matrix, written where a vector of indices says.

Typical are 614 rows of BERT-base's hidden states, of 8 sequences of 512. No index occurs twice
where something is overwritten; where sums are asked for, some do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.moving import moved
from opperf.operators.indexing.indexing import INDEX, Indexing, Replacing, index_below

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


ROWS = {
    "small": ((64, 32), 16),
    "typical": ((4096, 768), 614),
    "large": ((16384, 768), 8192),
    "skewed": ((10007, 3), 1009),
}
"""A matrix and how many of its rows are meant."""


def distinct_below(count: int, *, order: bool = False) -> Tensor:
    """Return the tensor of an index without repetitions; `order` repeats it for each column."""

    def draw(random: np.random.Generator, size: Shape, low: float, high: float) -> Array:
        del low, high
        if not order:
            return random.choice(count, size, replace=False)
        return np.argsort(random.random((count, *size[1:])), axis=0)[: size[0]]

    return Tensor(dtype="int64", differentiable=False, low=0, high=count - 1, initializer=draw)


class Repeating(Indexing, abstract=True):
    """An operator whose index may name a row more than once."""

    def domains(self) -> Mapping[str, Tensor]:
        """Return rows of the data."""
        return {**self.tensors, "index": index_below(self.inputs["data"][0])}


class RowWise(Indexing, abstract=True):
    """An operator that writes `src` over, or adds it to, the rows of `data` that `index` names."""

    tensors = {"data": Tensor(), "index": INDEX, "src": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape, "index": (count,), "src": (count, shape[1])}
        for size, (shape, count) in ROWS.items()
    }

    def domains(self) -> Mapping[str, Tensor]:
        """Return rows of the data, each once."""
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
    """Write over rows."""
    result = data.copy()
    result[index] = src
    return result


class IndexCopy(Replacing, RowWise):
    """A copy of a matrix with the rows that an index names replaced."""

    reference = index_copy
    gradient = moved(index_copy)


def index_add(data: Array, index: Array, src: Array) -> Array:
    """Add to rows, as often as they are named."""
    result = data.copy()
    np.add.at(result, index, src)
    return result


def index_add_gradient(
    cotangents: Sequence[Array], data: Array, index: Array, src: Array
) -> tuple[Array, Array]:
    """Hand the gradient on, and out to the rows that were added."""
    del data, src
    return cotangents[0], cotangents[0][index]


class IndexAdd(Repeating, RowWise):
    """A matrix with rows added to those that an index names, some of them more than once."""

    reference = index_add
    gradient = index_add_gradient
    tolerance = CANCELING_SUMS.because("what goes to the same place adds up")

    def flop_count(self) -> int:
        """Return one operation an element that is added."""
        rows, columns = self.inputs["src"]
        return int(rows) * int(columns)


def index_fill(data: Array, index: Array, *, value: float) -> Array:
    """Fill rows."""
    result = data.copy()
    result[index] = value
    return result


class IndexFill(Replacing, RowWise):
    """A copy of a matrix with the rows that an index names filled with a value."""

    tensors = {"data": Tensor(), "index": INDEX}
    attributes = {"value": 1.0}
    sizes = {size: {"data": shape, "index": (count,)} for size, (shape, count) in ROWS.items()}
    reference = index_fill
    gradient = moved(index_fill, value=0.0)

    def replaced(self) -> int:
        """Return the elements of the rows named."""
        return int(self.inputs["index"][0] * self.inputs["data"][1])
