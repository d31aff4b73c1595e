"""Products of vectors, of rows, and of a matrix with a vector; skewed sums are short."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.declaring.declaration import Declaration
from opperf.operators.gemm.contractions import TWO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def vector_dot_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return cotangent * rhs and cotangent * lhs."""
    return cotangents[0] * rhs, cotangents[0] * lhs


def vector_dot(lhs: Array, rhs: Array) -> Array:
    """Return the sum of lhs * rhs."""
    result: Array = lhs @ rhs
    return result


class VectorDot(Declaration):
    """Inner product of two vectors: the sum of lhs * rhs."""

    tensors = TWO
    sizes = {
        size: {"lhs": (n,), "rhs": (n,)}
        for size, n in {
            "small": 256,
            "typical": 1048576,
            "large": 16777216,
            "skewed": 3,
        }.items()
    }
    reference = vector_dot
    gradient = vector_dot_gradient
    dtypes = ("float64", "float32")
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of a scalar."""
        self.require_rank("lhs", 1)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        return ((),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element."""
        return 2 * prod(self.inputs["lhs"])


class VDot(VectorDot):
    """Inner product of two vectors, by the call that conjugates complex ones."""


def matvec_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return outer(cotangent, rhs) and lhs^T @ cotangent."""
    return np.outer(cotangents[0], rhs), lhs.T @ cotangents[0]


class MatrixVectorProduct(Declaration, abstract=True):
    """lhs @ rhs, for a matrix lhs and a vector rhs."""

    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows,)."""
        self.require_rank("lhs", 2)
        rows, inner = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == (inner,), "rhs", f"must be ({inner},)")
        return ((rows,),)


class MatVec(MatrixVectorProduct):
    """lhs @ rhs, for a matrix lhs and a vector rhs.

    Typical is a projection of Llama 3 8B for one token.
    """

    tensors = TWO
    sizes = {
        "small": {"lhs": (64, 64), "rhs": (64,)},
        "typical": {"lhs": (4096, 4096), "rhs": (4096,)},
        "large": {"lhs": (14336, 4096), "rhs": (4096,)},
        "skewed": {"lhs": (10007, 3), "rhs": (3,)},
    }
    reference = np.matmul
    gradient = matvec_gradient
    backward_work = 2

    def flop_count(self) -> int:
        """Return 2 FLOP an element of the matrix."""
        return 2 * prod(self.inputs["lhs"])


def outer_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return cotangent @ rhs and cotangent^T @ lhs."""
    return cotangents[0] @ rhs, cotangents[0].T @ lhs


class Outer(Declaration):
    """Outer product of two vectors: lhs[i] * rhs[j]."""

    tensors = TWO
    sizes = {
        "small": {"lhs": (64,), "rhs": (64,)},
        "typical": {"lhs": (1024,), "rhs": (1024,)},
        "large": {"lhs": (4096,), "rhs": (4096,)},
        "skewed": {"lhs": (10007,), "rhs": (3,)},
    }
    reference = np.outer
    gradient = outer_gradient
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 1  # a multiplication

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns)."""
        self.require_rank("lhs", 1)
        self.require_rank("rhs", 1)
        return ((*self.inputs["lhs"], *self.inputs["rhs"]),)


def vecdot(lhs: Array, rhs: Array) -> Array:
    """Return the sum of lhs * rhs over each row."""
    return np.einsum("ij,ij->i", lhs, rhs)


def vecdot_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return each row's cotangent times the other matrix."""
    return cotangents[0][:, None] * rhs, cotangents[0][:, None] * lhs


class VecDot(Declaration):
    """Inner products of the rows of two matrices: the sum of lhs * rhs over each row."""

    tensors = TWO
    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (64, 64),
            "typical": (1024, 768),
            "large": (16384, 768),
            "skewed": (10007, 3),
        }.items()
    }
    reference = vecdot
    gradient = vecdot_gradient
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows,)."""
        self.require_rank("lhs", 2)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        return (shape[:1],)

    def flop_count(self) -> int:
        """Return 2 FLOP an element."""
        return 2 * prod(self.inputs["lhs"])
