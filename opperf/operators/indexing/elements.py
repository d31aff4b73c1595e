"""Gather and scatter of single elements of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.moving import gather_gradient
from opperf.operators.indexing.indexing import (
    INDEX,
    Indexing,
    Replacement,
    coordinates_in,
    index_below,
)
from opperf.operators.indexing.rows import ROWS, RepeatedIndex, distinct_below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


class ColumnWise(Indexing, abstract=True):
    """An operator whose index selects rows separately for each column."""

    tensors = {"data": Tensor(), "index": INDEX, "src": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape, "index": (count, shape[1]), "src": (count, shape[1])}
        for size, (shape, count) in ROWS.items()
    }

    def domains(self) -> Mapping[str, Tensor]:
        """Return row indices that are distinct in each column."""
        index = distinct_below(self.inputs["data"][0], order=True)
        return {**self.tensors, "index": index}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        self.require_rank("index", 2)
        (rows, columns), (count, found) = self.inputs["data"], self.inputs["index"]
        fits = found == columns and count <= rows
        self.require(fits, "index", f"must be at most {rows} rows of {columns}, as data has")
        if "src" in self.tensors:
            self.require(self.inputs["src"] == (count, columns), "src", "must be as index is")
        return ((rows, columns),)


def gather(data: Array, index: Array) -> Array:
    """data[index[i, j], j]."""
    return np.take_along_axis(data, index, 0)


class Gather(ColumnWise):
    """data[index[i, j], j]."""

    tensors = {"data": Tensor(), "index": INDEX}
    sizes = {
        size: {"data": shape, "index": (count, shape[1])} for size, (shape, count) in ROWS.items()
    }
    part_read = {"data": "the elements chosen"}
    reference = gather
    gradient = gather_gradient(gather)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the index's shape."""
        super().outputs()
        return (self.inputs["index"],)


def scatter(data: Array, index: Array, src: Array) -> Array:
    """A copy of data with result[index[i, j], j] = src[i, j]."""
    result = data.copy()
    np.put_along_axis(result, index, src, 0)
    return result


class Scatter(Replacement, ColumnWise):
    """A copy of data with result[index[i, j], j] = src[i, j]."""

    reference = scatter
    gradient = gather_gradient(scatter)


def scatter_reduction(reduce: Callable[..., Any]) -> Any:
    """Return the reference that combines data and src by a ufunc."""

    def scatter_reduce(data: Array, index: Array, src: Array) -> Array:
        """result[index[i, j], j] = reduce(result[index[i, j], j], src[i, j])."""
        result = data.copy()
        reduce.at(result, (index, np.arange(data.shape[1])), src)  # type: ignore[attr-defined]
        return result

    return scatter_reduce


def scatter_add_gradient(
    cotangents: Sequence[Array], data: Array, index: Array, src: Array
) -> tuple[Array, Array]:
    """Return the cotangent, and the cotangent gathered at index."""
    del data, src
    return cotangents[0], gather(cotangents[0], index)


class ScatterAdd(RepeatedIndex, ColumnWise):
    """result[index[i, j], j] += src[i, j]; an index may repeat."""

    reference = scatter_reduction(np.add)
    gradient = scatter_add_gradient
    tolerance = CANCELING_SUMS.because("what goes to the same place adds up")

    def flop_count(self) -> int:
        """Return one addition per element of src."""
        rows, columns = self.inputs["src"]
        return int(rows) * int(columns)


class ScatterReduce(RepeatedIndex, ColumnWise):
    """result[index[i, j], j] = max(result[index[i, j], j], src[i, j]); an index may repeat."""

    reference = scatter_reduction(np.maximum)
    differentiable = False


def index_put(data: Array, indices: Array, src: Array) -> Array:
    """result[indices[0, k], indices[1, k]] += src[k]."""
    result = data.copy()
    np.add.at(result, tuple(indices), src)
    return result


def index_put_gradient(
    cotangents: Sequence[Array], data: Array, indices: Array, src: Array
) -> tuple[Array, Array]:
    """Return the cotangent, and the cotangent gathered at indices."""
    del data, src
    return cotangents[0], cotangents[0][tuple(indices)]


class IndexPut(Indexing):
    """result[indices[0, k], indices[1, k]] += src[k]; coordinates may repeat."""

    tensors = {"data": Tensor(), "indices": INDEX, "src": Tensor()}
    sizes = {
        size: {"data": shape, "indices": (2, count), "src": (count,)}
        for size, (shape, count) in ROWS.items()
    }
    reference = index_put
    gradient = index_put_gradient
    tolerance = CANCELING_SUMS.because("what goes to the same place adds up")

    def domains(self) -> Mapping[str, Tensor]:
        """Return coordinates within the data, with repetitions."""
        return {**self.tensors, "indices": coordinates_in(self.inputs["data"], distinct=False)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        self.require_rank("src", 1)
        expected = (2, *self.inputs["src"])
        self.require(self.inputs["indices"] == expected, "indices", f"must be {expected}")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return one addition per element of src."""
        return int(self.inputs["src"][0])


def pick(data: Array, index: Array) -> Array:
    """data[i, index[i]]."""
    return np.take_along_axis(data, index[:, None], 1)[:, 0]


class Pick(Indexing):
    """data[i, index[i]]. Typical are the logits of 256 images' labels among 1000."""

    tensors = {"data": Tensor(), "index": INDEX}
    sizes = {
        "small": {"data": (64, 64), "index": (64,)},
        "typical": {"data": (256, 1000), "index": (256,)},
        "large": {"data": (4096, 30522), "index": (4096,)},
        "skewed": {"data": (10007, 3), "index": (10007,)},
    }
    part_read = {"data": "the elements chosen"}
    reference = pick
    gradient = gather_gradient(pick)

    def domains(self) -> Mapping[str, Tensor]:
        """Return column indices of the data."""
        return {**self.tensors, "index": index_below(self.inputs["data"][1])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one element per row."""
        self.require_rank("data", 2)
        rows = self.inputs["data"][:1]
        self.require(self.inputs["index"] == rows, "index", f"must be {rows}, one a row")
        return (rows,)


def columns_of(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw column indices as floating-point numbers."""
    return random.integers(int(low), int(high) + 1, shape)


def fill_element(lhs: Array, mhs: Array, rhs: Array) -> Array:
    """A copy of lhs with result[i, rhs[i]] = mhs[i]."""
    result = lhs.copy()
    result[np.arange(len(lhs)), rhs.astype(int)] = mhs
    return result


class FillElement(Indexing):
    """A copy of lhs with result[i, rhs[i]] = mhs[i]; rhs holds floating-point columns."""

    tensors = {"lhs": Tensor(), "mhs": Tensor(), "rhs": Tensor(low=0, initializer=columns_of)}
    sizes = {
        size: {"lhs": shape, "mhs": shape[:1], "rhs": shape[:1]}
        for size, shape in {
            "small": (64, 64),
            "typical": (256, 1000),
            "large": (4096, 4096),
            "skewed": (10007, 3),
        }.items()
    }
    part_read = {"lhs": "what is not replaced"}
    reference = fill_element
    dtypes = ("float32",)
    differentiable = False

    def domains(self) -> Mapping[str, Tensor]:
        """Return column indices of the matrix."""
        last = self.inputs["lhs"][1] - 1
        return {**self.tensors, "rhs": Tensor(low=0, high=last, initializer=columns_of)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the matrix's shape."""
        self.require_rank("lhs", 2)
        shape = self.inputs["lhs"]
        for name in ("mhs", "rhs"):
            self.require(self.inputs[name] == shape[:1], name, f"must be {shape[:1]}")
        return (shape,)

    def elements_read(self) -> dict[str, int]:
        """Return all of lhs but the replaced elements, and all of mhs and rhs."""
        rows, columns = self.inputs["lhs"]
        return {"lhs": rows * (columns - 1), "mhs": rows, "rhs": rows}
