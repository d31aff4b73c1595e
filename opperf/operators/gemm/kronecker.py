"""Kronecker and Khatri-Rao products."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.declaring.declaration import Declaration
from opperf.operators.gemm.contractions import TWO
from opperf.operators.gemm.scaled import LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def kron_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both matrices: each block summed against the other."""
    (rows, columns), (height, width) = lhs.shape, rhs.shape
    blocks = cotangents[0].reshape(rows, height, columns, width)
    return np.einsum("rhcw,hw->rc", blocks, rhs), np.einsum("rhcw,rc->hw", blocks, lhs)


class Kron(Declaration):
    """Kronecker product of two matrices."""

    tensors = TWO
    sizes = {
        "small": {"lhs": (4, 4), "rhs": (8, 8)},
        "typical": {"lhs": (32, 32), "rhs": (32, 32)},
        "large": {"lhs": (64, 64), "rhs": (64, 64)},
        "skewed": {"lhs": (101, 1), "rhs": (1, 7)},
    }
    reference = np.kron
    gradient = kron_gradient
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 1  # a multiplication

    def outputs(self) -> tuple[Shape, ...]:
        """Return the products of the dimensions."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, columns), (height, width) = self.inputs["lhs"], self.inputs["rhs"]
        return ((rows * height, columns * width),)


def khatri_rao(lhs: Array, rhs: Array) -> Array:
    """Return the Kronecker product of each pair of columns (Khatri and Rao 1968)."""
    return np.einsum("ik,jk->ijk", lhs, rhs).reshape(-1, lhs.shape[1])


def khatri_rao_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both matrices, column by column."""
    blocks = cotangents[0].reshape(len(lhs), len(rhs), -1)
    return np.einsum("ijk,jk->ik", blocks, rhs), np.einsum("ijk,ik->jk", blocks, lhs)


class KhatriRao(Declaration):
    """Khatri-Rao product: the Kronecker product of each pair of columns.

    Tensor decompositions (CP) use it.
    """

    tensors = TWO
    sizes = {
        "small": {"lhs": (8, 16), "rhs": (8, 16)},
        "typical": {"lhs": (128, 64), "rhs": (128, 64)},
        "large": {"lhs": (512, 64), "rhs": (512, 64)},
        "skewed": {"lhs": (101, 3), "rhs": (7, 3)},
    }
    reference = khatri_rao
    gradient = khatri_rao_gradient
    dtypes = LAPACK
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 1  # a multiplication

    def outputs(self) -> tuple[Shape, ...]:
        """Return the product of the rows, and the columns."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, columns), (more, found) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == columns, "rhs", f"must have {columns} columns, as lhs has")
        return ((rows * more, columns),)
