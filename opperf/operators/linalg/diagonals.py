"""Extracting and building diagonals and triangles of small matrices."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.operators.linalg.batches import BATCHES, MatrixBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def diagonals(data: Array) -> Array:
    """A[i, i] for each matrix."""
    return np.diagonal(data, axis1=1, axis2=2).copy()


def diagonals_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Put the cotangent on the diagonal."""
    return (diagonal_matrices(cotangents[0]) + 0 * data,)


def diagonal_matrices(data: Array) -> Array:
    """diag(row) for each row."""
    return data[:, :, None] * np.eye(data.shape[-1], dtype=data.dtype)


def diagonal_matrices_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the cotangent's diagonal."""
    del data  # linear
    return (diagonals(cotangents[0]),)


def triangles(data: Array) -> Array:
    """Return each lower triangle, flattened by rows."""
    rows, columns = np.tril_indices(data.shape[-1])
    return data[:, rows, columns]


def triangles_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Put the cotangent into the lower triangle."""
    return (triangular_matrices(cotangents[0]) + 0 * data,)


def triangular_matrices(data: Array) -> Array:
    """Return each row as a lower triangular matrix."""
    order = order_of(data.shape[-1])
    found = np.zeros((len(data), order, order), data.dtype)
    rows, columns = np.tril_indices(order)
    found[:, rows, columns] = data
    return found


def triangular_matrices_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the cotangent's lower triangle."""
    del data  # linear
    return (triangles(cotangents[0]),)


def order_of(count: int) -> int:
    """Return the order of a matrix whose triangle has `count` elements."""
    return (isqrt(8 * count + 1) - 1) // 2


class MatrixRearrangement(MatrixBatch, abstract=True):
    """An operator that rearranges parts of each matrix and computes nothing."""

    flops_per_element = 0  # a copy is no arithmetic


class ExtractDiag(MatrixRearrangement):
    """A[i, i] for each matrix of a batch, by a linear-algebra operator."""

    part_read = {"data": "the diagonals"}
    reference = diagonals
    gradient = diagonals_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row per matrix."""
        super().outputs()
        return (self.inputs["data"][:2],)


class ExtractTrian(MatrixRearrangement):
    """The lower triangle of each matrix, flattened by rows."""

    part_read = {"data": "the triangles"}
    reference = triangles
    gradient = triangles_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row per matrix."""
        super().outputs()
        count, order, _ = self.inputs["data"]
        return ((count, order * (order + 1) // 2),)


class MakeDiag(MatrixRearrangement):
    """diag(row) for each row of a batch, by a linear-algebra operator."""

    tensors = {"data": Tensor()}
    sizes = {size: {"data": shape[:2]} for size, shape in BATCHES.items()}
    reference = diagonal_matrices
    gradient = diagonal_matrices_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one matrix per row."""
        self.require_rank("data", 2)
        count, order = self.inputs["data"]
        return ((count, order, order),)


class MakeTrian(MatrixRearrangement):
    """The lower triangular matrix of each row."""

    tensors = {"data": Tensor()}
    sizes = {
        size: {"data": (count, order * (order + 1) // 2)}
        for size, (count, order, _) in BATCHES.items()
    }
    reference = triangular_matrices
    gradient = triangular_matrices_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one matrix per row."""
        self.require_rank("data", 2)
        count, elements = self.inputs["data"]
        order = order_of(elements)
        whole = order * (order + 1) // 2 == elements
        self.require(whole, "data", "must have n (n + 1) / 2 columns")
        return ((count, order, order),)
