"""Reading and overwriting regular slices of a tensor; the results are copies.

Sizes are those of images or of GPT-2's hidden states; skewed is odd and long in one dimension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.moving import gather_gradient
from opperf.operators.indexing.indexing import Indexing, Replacement

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape

ROWS = {
    "small": {"data": (64, 64), "begin": 16, "end": 48},
    "typical": {"data": (1024, 768), "begin": 256, "end": 768},
    "large": {"data": (8192, 768), "begin": 1024, "end": 7168},
    "skewed": {"data": (100003, 3), "begin": 1, "end": 100002},
}


def inner(data: Array, *, border: int) -> Array:
    """Remove the border of the last two axes."""
    within = slice(border, -border or None)
    return np.ascontiguousarray(data[:, :, within, within])


class Slice(Indexing):
    """data[:, :, border:-border, border:-border] of NCHW images."""

    tensors = {"data": Tensor()}
    attributes = {"border": 1}
    sizes = {
        "small": {"data": (1, 4, 16, 16)},
        "typical": {"data": (4, 64, 58, 58)},
        "large": {"data": (32, 64, 114, 114)},
        "skewed": {"data": (1, 3, 9, 1023), "border": 3},
    }
    part_read = {"data": "what is inside the border"}
    reference = inner
    gradient = gather_gradient(inner)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the border."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        border, most = self.inputs["border"], (min(height, width) - 1) // 2
        self.require(0 <= border <= most, "border", f"must lie in [0, {most}]")
        return ((batch, channels, height - 2 * border, width - 2 * border),)


def rows_of(data: Array, *, begin: int, end: int) -> Array:
    """data[begin:end]."""
    return data[begin:end].copy()


class SliceAxis(Indexing):
    """data[begin:end]."""

    tensors = {"data": Tensor()}
    attributes = {"begin": 256, "end": 768}
    sizes = ROWS
    part_read = {"data": "the rows returned"}
    reference = rows_of
    gradient = gather_gradient(rows_of)

    def outputs(self) -> tuple[Shape, ...]:
        """Return end - begin rows."""
        self.require_least_rank("data", 1)
        rows, *rest = self.inputs["data"]
        begin, end = self.inputs["begin"], self.inputs["end"]
        self.require(0 <= begin < end, "begin", f"must lie in [0, {end - 1}]")
        self.require(end <= rows, "end", f"must be at most {rows}")
        return ((end - begin, *rest),)


def corner(data: Array, shape_like: Array) -> Array:
    """data[:rows, :columns], with the shape of another tensor."""
    rows, columns = shape_like.shape
    return data[:rows, :columns].copy()


class SliceLike(Indexing):
    """data[:rows, :columns], with the shape of another matrix."""

    tensors = {"data": Tensor(), "shape_like": Tensor(differentiable=False)}
    sizes = {
        "small": {"data": (64, 64), "shape_like": (48, 32)},
        "typical": {"data": (1024, 1024), "shape_like": (768, 512)},
        "large": {"data": (4096, 4096), "shape_like": (4000, 3000)},
        "skewed": {"data": (10007, 7), "shape_like": (10001, 3)},
    }
    part_read = {"data": "the corner"}
    unread = {"shape_like": "only its shape"}
    reference = corner

    def outputs(self) -> tuple[Shape, ...]:
        """Return the other matrix's shape."""
        self.require_rank("data", 2)
        data, shape = self.inputs["data"], self.inputs["shape_like"]
        fits = len(shape) == len(data) and all(n <= m for n, m in zip(shape, data, strict=True))
        self.require(fits, "shape_like", f"must fit into data={data}")
        return (shape,)


def select(data: Array, *, index: int) -> Array:
    """data[:, index]."""
    return data[:, index].copy()


class Select(Indexing):
    """data[:, index]. Typical is the first token of 128 sequences of BERT-base."""

    tensors = {"data": Tensor()}
    attributes = {"index": 0}
    sizes = {
        "small": {"data": (8, 16, 32)},
        "typical": {"data": (128, 128, 768)},
        "large": {"data": (128, 512, 768)},
        "skewed": {"data": (100003, 3), "index": 1},
    }
    part_read = {"data": "the slice"}
    reference = select
    gradient = gather_gradient(select)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the second axis."""
        self.require_least_rank("data", 2)
        first, length, *rest = self.inputs["data"]
        self.require(0 <= self.inputs["index"] < length, "index", f"must lie in [0, {length - 1}]")
        return ((first, *rest),)


def slice_scatter(data: Array, src: Array, *, begin: int) -> Array:
    """A copy of data with result[begin:begin + rows] = src."""
    result = data.copy()
    result[begin : begin + len(src)] = src
    return result


class SliceScatter(Replacement):
    """A copy of data with consecutive rows overwritten, as in a growing key cache."""

    tensors = {"data": Tensor(), "src": Tensor()}
    attributes = {"begin": 256}
    sizes = {
        "small": {"data": (64, 64), "src": (16, 64), "begin": 16},
        "typical": {"data": (1024, 768), "src": (512, 768)},
        "large": {"data": (8192, 768), "src": (4096, 768)},
        "skewed": {"data": (100003, 3), "src": (1, 3)},
    }
    reference = slice_scatter
    gradient = gather_gradient(slice_scatter)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        for name in ("data", "src"):
            self.require_least_rank(name, 1)
        rows, *rest = self.inputs["data"]
        count, *columns = self.inputs["src"]
        self.require(columns == rest, "src", f"must have rows of {rest}, as data has")
        most = rows - count
        self.require(0 <= self.inputs["begin"] <= most, "begin", f"must lie in [0, {most}]")
        return ((rows, *rest),)


def select_scatter(data: Array, src: Array, *, index: int) -> Array:
    """A copy of data with result[:, index] = src."""
    result = data.copy()
    result[:, index] = src
    return result


class SelectScatter(Replacement):
    """A copy of data with result[:, index] = src."""

    tensors = {"data": Tensor(), "src": Tensor()}
    attributes = {"index": 1}
    sizes = {
        "small": {"data": (64, 64), "src": (64,)},
        "typical": {"data": (1024, 1024), "src": (1024,)},
        "large": {"data": (4096, 4096), "src": (4096,)},
        "skewed": {"data": (100003, 3), "src": (100003,)},
    }
    reference = select_scatter
    gradient = gather_gradient(select_scatter)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(self.inputs["src"] == (rows,), "src", f"must be ({rows},)")
        most = columns - 1
        self.require(0 <= self.inputs["index"] <= most, "index", f"must lie in [0, {most}]")
        return ((rows, columns),)


def diagonal_scatter(data: Array, src: Array) -> Array:
    """A copy of data with result[i, i] = src[i]."""
    result = data.copy()
    np.fill_diagonal(result, src)
    return result


class DiagonalScatter(Replacement):
    """A copy of a square matrix with result[i, i] = src[i]."""

    tensors = {"data": Tensor(), "src": Tensor()}
    sizes = {
        size: {"data": (n, n), "src": (n,)}
        for size, n in {"small": 64, "typical": 1024, "large": 4096, "skewed": 3}.items()
    }
    reference = diagonal_scatter
    gradient = gather_gradient(diagonal_scatter)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows == columns, "data", "must be square")
        self.require(self.inputs["src"] == (rows,), "src", f"must be ({rows},)")
        return ((rows, columns),)
