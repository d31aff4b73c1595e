"""Distances, similarities and cross products between rows."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.correlations import RowPairOperator
from opperf.operators.linalg.linalg import LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def distances(lhs: Array, rhs: Array) -> Array:
    """||lhs[i] - rhs[j]||, by the binomial formula."""
    squares = (lhs * lhs).sum(axis=1)[:, None] + (rhs * rhs).sum(axis=1)
    return np.sqrt(np.maximum(squares - 2 * lhs @ rhs.T, 0))


def distances_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Sum cotangent * (lhs[i] - rhs[j]) / distance, without forming all differences."""
    parts = cotangents[0] / distances(lhs, rhs)
    by_lhs = parts.sum(axis=1)[:, None] * lhs - parts @ rhs
    by_rhs = parts.sum(axis=0)[:, None] * rhs - parts.T @ lhs
    return by_lhs, by_rhs


def own_distances(data: Array) -> Array:
    """||data[i] - data[j]|| for i < j."""
    return distances(data, data)[np.triu_indices(len(data), 1)]


def own_distances_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Sum cotangent * (data[i] - data[j]) / distance over both rows of each pair."""
    parts = np.zeros((len(data), len(data)))
    parts[np.triu_indices(len(data), 1)] = cotangents[0] / own_distances(data)
    parts = parts + parts.T
    return (parts.sum(axis=1)[:, None] * data - parts @ data,)


def length(data: Array) -> Array:
    """Return the Euclidean length of each row."""
    return np.sqrt((data * data).sum(axis=1, keepdims=True))


def similarity(lhs: Array, rhs: Array) -> Array:
    """Return lhs . rhs / (||lhs|| ||rhs||), row by row."""
    return (lhs / length(lhs) * (rhs / length(rhs))).sum(axis=1)


def similarity_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Differentiate the cosine by both rows."""
    left, right = lhs / length(lhs), rhs / length(rhs)
    cosine, cotangent = similarity(lhs, rhs)[:, None], cotangents[0][:, None]
    return (
        cotangent * (right - cosine * left) / length(lhs),
        cotangent * (left - cosine * right) / length(rhs),
    )


def cross(lhs: Array, rhs: Array) -> Array:
    """Return lhs x rhs, row by row."""
    return np.cross(lhs, rhs)


def cross_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return rhs x cotangent and cotangent x lhs."""
    return np.cross(rhs, cotangents[0]), np.cross(cotangents[0], lhs)


class MatrixRows(Declaration, abstract=True):
    """An operator on two matrices with rows of equal length."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    dtypes = LAPACK

    def require_rows(self) -> tuple[int, int, int]:
        """Return the number of rows on the left and right, and their length."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (left, columns), (right, others) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(columns == others, "rhs", f"must have {columns} columns, as lhs has")
        return int(left), int(right), int(columns)


class CDist(MatrixRows):
    """||lhs[i] - rhs[j]|| for all pairs of rows.

    Typical are 256 queries and 1024 neighbors of 64 features.
    """

    sizes = {
        "small": {"lhs": (16, 8), "rhs": (24, 8)},
        "typical": {"lhs": (256, 64), "rhs": (1024, 64)},
        "large": {"lhs": (1024, 128), "rhs": (4096, 128)},
        "skewed": {"lhs": (1021, 3), "rhs": (131, 3)},
    }
    reference = distances
    gradient = distances_gradient
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one distance per pair."""
        left, right, _ = self.require_rows()
        return ((left, right),)

    def flop_count(self) -> int:
        """Return a difference, a square and an addition per element of each pair."""
        return 3 * prod(self.require_rows())


class CosineSimilarity(MatrixRows):
    """lhs . rhs / (||lhs|| ||rhs||), row by row."""

    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (32, 128),
            "typical": (1024, 512),
            "large": (16384, 1024),
            "skewed": (9973, 13),
        }.items()
    }
    reference = similarity
    gradient = similarity_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one cosine per row."""
        left, right, _ = self.require_rows()
        self.require(left == right, "rhs", f"must have {left} rows, as lhs has")
        return ((left,),)

    def flop_count(self) -> int:
        """Return three multiplications and additions per element."""
        return 6 * prod(self.inputs["lhs"])


class Cross(MatrixRows):
    """lhs x rhs for rows of three."""

    sizes = {
        size: {"lhs": (rows, 3), "rhs": (rows, 3)}
        for size, rows in {
            "small": 64,
            "typical": 100000,
            "large": 1000000,
            "skewed": 10007,
        }.items()
    }
    reference = cross
    gradient = cross_gradient
    tolerance = gradient_tolerance = CANCELING_TERMS
    flops_per_element = 3  # two products and a difference

    def outputs(self) -> tuple[Shape, ...]:
        """Return the common shape."""
        left, right, columns = self.require_rows()
        self.require(columns == len("xyz"), "lhs", "must have 3 columns")
        self.require(left == right, "rhs", f"must have {left} rows, as lhs has")
        return ((left, columns),)


class PDist(RowPairOperator):
    """||data[i] - data[j]|| for all pairs i < j of rows."""

    sizes = {
        "small": {"data": (16, 8)},
        "typical": {"data": (256, 64)},
        "large": {"data": (1024, 128)},
        "skewed": {"data": (131, 3)},
    }
    reference = own_distances
    gradient = own_distances_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one distance per unordered pair."""
        ((rows, _),) = super().outputs()
        return ((rows * (rows - 1) // 2,),)

    def flop_count(self) -> int:
        """Return a difference, a square and an addition per element of each pair."""
        return 3 * prod(self.outputs()[0]) * int(self.inputs["data"][1])
