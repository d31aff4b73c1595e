"""Sparse matrices in compressed rows (CSR); forward only.

One element in twenty is nonzero, at random positions. Typical is a graph convolution's adjacency of
4096 nodes and 64 features; skewed is long and thin. Dense matrices are converted before the clock
starts.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import ITEMSIZE, Tensor
from opperf.declaring.counts import NOTHING
from opperf.declaring.declaration import Declaration
from opperf.operators.gemm.vectors import MatrixVectorProduct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape

SHARE = 20
"""The number of elements per nonzero element."""


def stored_count(shape: Shape) -> int:
    """Return the number of stored elements of a matrix of this shape."""
    return max(prod(shape) // SHARE, 1)


def random_sparse(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw values of at least 1 at random positions, zeros elsewhere."""
    del low, high
    result = np.zeros(prod(shape))
    places = random.choice(prod(shape), stored_count(shape), replace=False)
    values = random.standard_normal(len(places))
    result[places] = values + np.copysign(1, values)
    return result.reshape(shape)


MATRIX = Tensor(initializer=random_sparse)
STORED = "what is stored"
SHAPES = {
    "small": (64, 64),
    "typical": (4096, 4096),
    "large": (8192, 8192),
    "skewed": (10007, 7),
}


class Sparse(Declaration, abstract=True):
    """An operator on matrices in compressed rows."""

    dtypes = ("float64", "float32")
    differentiable = False

    part_read: ClassVar[Mapping[str, str]] = {"lhs": STORED}

    def stored_bytes(self, shape: Shape) -> int:
        """Return the bytes of a matrix: values, column indices and row pointers."""
        size = ITEMSIZE[self.dtype] + ITEMSIZE["int64"]
        return int(stored_count(shape) * size + ITEMSIZE["int64"] * (shape[0] + 1))

    def input_bytes(self) -> int:
        """Return the bytes of the stored elements and of the dense matrices."""
        return sum(
            self.stored_bytes(shape)
            if name in self.part_read
            else prod(shape) * ITEMSIZE[self.dtype]
            for name, shape in self.shapes.items()
        )


def dot(lhs: Array, rhs: Array) -> Array:
    """Return lhs @ rhs."""
    return lhs @ rhs


class SparseDot(Sparse):
    """lhs @ rhs, with a sparse lhs and a dense rhs."""

    tensors = {"lhs": MATRIX, "rhs": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"lhs": shape, "rhs": (shape[1], 64)} for size, shape in SHAPES.items()
    }
    reference = dot
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns)."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, inner), (found, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == inner, "rhs", f"must have {inner} rows, the columns of lhs")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition per stored element and column."""
        return 2 * stored_count(self.inputs["lhs"]) * int(self.inputs["rhs"][1])


def dot_transposed(lhs: Array, rhs: Array) -> Array:
    """lhs^T @ rhs."""
    return lhs.T @ rhs


class SparseDotTransposed(SparseDot):
    """lhs^T @ rhs, with a sparse lhs and a dense rhs: the gradient of SparseDot."""

    sizes = {size: {"lhs": shape, "rhs": (shape[0], 64)} for size, shape in SHAPES.items()}
    reference = dot_transposed

    def outputs(self) -> tuple[Shape, ...]:
        """Return (columns, columns of rhs)."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (inner, rows), (found, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == inner, "rhs", f"must have {inner} rows, as lhs has")
        return ((rows, columns),)


class CooDot(SparseDot):
    """lhs @ rhs, with a sparse lhs in coordinate format (COO) and a dense rhs."""


class SparseMatVec(Sparse, MatrixVectorProduct):
    """lhs @ rhs, with a sparse matrix and a dense vector."""

    tensors = {"lhs": MATRIX, "rhs": Tensor()}
    sizes = {size: {"lhs": shape, "rhs": (shape[1],)} for size, shape in SHAPES.items()}
    reference = dot

    def flop_count(self) -> int:
        """Return a multiplication and an addition per stored element."""
        return 2 * stored_count(self.inputs["lhs"])


class SparseAdd(Sparse):
    """lhs + rhs of two sparse matrices, as a sparse matrix."""

    tensors = {"lhs": MATRIX, "rhs": MATRIX}
    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in SHAPES.items()}
    part_read = {"lhs": STORED, "rhs": STORED}
    reference = np.add

    def outputs(self) -> tuple[Shape, ...]:
        """Return the common shape."""
        self.require_rank("lhs", 2)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        return (shape,)

    def flop_count(self) -> int:
        """Return at most one addition per stored element."""
        return stored_count(self.inputs["lhs"])

    def output_bytes(self) -> int:
        """Return the bytes of the union of the stored elements, at most."""
        return 2 * self.stored_bytes(self.inputs["lhs"])


class ToSparse(Sparse):
    """A dense matrix converted to compressed rows."""

    tensors = {"data": MATRIX}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    part_read = NOTHING
    reference = np.copy
    flops_per_element = 0  # elements are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        return (self.inputs["data"],)

    def output_bytes(self) -> int:
        """Return the bytes of the stored elements."""
        return self.stored_bytes(self.inputs["data"])


def norm(data: Array) -> Array:
    """sqrt(sum(data^2))."""
    return np.sqrt((data**2).sum()).reshape(1)


class SparseNorm(Sparse):
    """sqrt(sum(data^2)) of a sparse matrix."""

    tensors = {"data": MATRIX}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    part_read: ClassVar[Mapping[str, str]] = {"data": "the elements stored"}
    reference = norm

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number."""
        self.require_rank("data", 2)
        return ((1,),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition per stored element."""
        return 2 * stored_count(self.inputs["data"])

    def input_bytes(self) -> int:
        """Return the bytes of the values, without their indices."""
        return int(stored_count(self.inputs["data"]) * ITEMSIZE[self.dtype])


def nonzeros(data: Array) -> Array:
    """Return the number of nonzero elements."""
    return np.array([np.count_nonzero(data)])


class GetNNZ(SparseNorm):
    """The number of stored elements of a sparse matrix."""

    unread = {"data": "only how many elements are stored"}
    part_read = NOTHING
    reference = nonzeros
    flops_per_element = 0  # the number is known

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)

    def input_bytes(self) -> int:
        """Return zero: the number is stored beside the matrix."""
        return 0
