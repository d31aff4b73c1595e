"""Diagonals and triangles of matrices."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.declaring.counts import on_and_above_diagonal, on_and_below_diagonal
from opperf.declaring.moving import gather_gradient
from opperf.operators.shape.axes import IMAGES, MATRICES
from opperf.operators.shape.shape import Rearrangement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


def diagonal_of(data: Array) -> Array:
    """data[i, i]."""
    return np.diag(data).copy()


class Diag(Rearrangement):
    """data[i, i] of a matrix."""

    sizes = MATRICES
    part_read = {"data": "the diagonal"}
    reference = diagonal_of
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the smaller of the two dimensions."""
        self.require_rank("data", 2)
        return ((min(self.inputs["data"]),),)


def diagonals_of(data: Array) -> Array:
    """data[..., i, i]."""
    return np.ascontiguousarray(np.diagonal(data, axis1=-2, axis2=-1))


class Diagonal(Rearrangement):
    """data[..., i, i] over the last two axes."""

    sizes = IMAGES
    part_read = {"data": "the diagonals"}
    reference = diagonals_of
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the leading dimensions and the smaller of the last two."""
        self.require_least_rank("data", 2)
        *leading, rows, columns = self.inputs["data"]
        return ((*leading, min(rows, columns)),)


class DiagMatrix(Rearrangement):
    """diag(data): a matrix with a vector on its diagonal."""

    sizes = {
        "small": {"data": (64,)},
        "typical": {"data": (1024,)},
        "large": {"data": (4096,)},
        "skewed": {"data": (3,)},
    }
    reference = np.diag
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return a square of the vector's length."""
        self.require_rank("data", 1)
        return (self.inputs["data"] * 2,)


class Triangle(Rearrangement, abstract=True):
    """A triangle of a matrix, zeros elsewhere."""

    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = MATRICES

    part_read = {"data": "the triangle"}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 2)
        return (self.inputs["data"],)


def tril(data: Array) -> Array:
    """Keep the lower triangle."""
    return np.tril(data)


class Tril(Triangle):
    """The lower triangle of a matrix, zeros above."""

    reference = tril
    gradient = gather_gradient(reference)

    def elements_read(self) -> dict[str, int]:
        """Return the elements on the diagonals and below."""
        *leading, rows, columns = self.inputs["data"]
        return {"data": prod(leading) * on_and_below_diagonal(rows, columns)}


def triu(data: Array) -> Array:
    """Keep the upper triangle."""
    return np.triu(data)


class Triu(Triangle):
    """The upper triangle of a matrix, zeros below."""

    reference = triu
    gradient = gather_gradient(reference)

    def elements_read(self) -> dict[str, int]:
        """Return the elements on the diagonals and above."""
        *leading, rows, columns = self.inputs["data"]
        return {"data": prod(leading) * on_and_above_diagonal(rows, columns)}
