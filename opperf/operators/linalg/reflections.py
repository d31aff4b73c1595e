"""Rank and condition number, products of Householder reflections, Vandermonde matrices."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.batches import MatrixBatch
from opperf.operators.linalg.linalg import LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def narrow(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw short Householder vectors, beside the implicit leading 1."""
    del low, high  # the length is what counts
    return random.standard_normal(shape) / (4 * sqrt(shape[0]))


def householder_product(data: Array, scales: Array) -> Array:
    """Return the first columns of the product of reflections (LAPACK's orgqr)."""
    rows, columns = data.shape
    found = np.eye(rows, columns, dtype=data.dtype)
    for at in reversed(range(columns)):
        vector = np.concatenate((np.zeros(at), np.ones(1), data[at + 1 :, at])).astype(data.dtype)
        found = found - scales[at] * np.outer(vector, vector @ found)
    return found


def powers_of(data: Array, *, count: int) -> Array:
    """Return data[i]^j."""
    return data[:, None] ** np.arange(count).astype(data.dtype)


def powers_of_gradient(cotangents: Sequence[Array], data: Array, *, count: int) -> tuple[Array]:
    """Sum cotangent * j * data[i]^(j - 1) over j."""
    exponents = np.arange(1, count)
    slopes = exponents * data[:, None] ** (exponents - 1)
    return ((cotangents[0][:, 1:] * slopes).sum(axis=1),)


class SingularValueOperator(MatrixBatch, abstract=True):
    """A function of the singular values of each matrix; forward only."""

    differentiable = False

    def flop_count(self) -> int:
        """Return 4/3 n^3 per matrix for the singular values (Golub and Van Loan 2013, 8.6.3)."""
        count, order, _ = self.inputs["data"]
        return 4 * int(count) * int(order) ** 3 // 3


class MatrixRank(SingularValueOperator):
    """rank(A) for each matrix."""

    reference = np.linalg.matrix_rank

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


class ConditionNumber(SingularValueOperator):
    """The largest singular value over the smallest, for each matrix."""

    reference = np.linalg.cond


class HouseholderProduct(Declaration):
    """The orthonormal columns of a product of Householder reflections, as QR stores them."""

    tensors = {"data": Tensor(initializer=narrow), "scales": Tensor(low=1.8, high=2)}
    sizes = {
        size: {"data": shape, "scales": shape[1:]}
        for size, shape in {
            "small": (16, 8),
            "typical": (512, 256),
            "large": (1024, 512),
            "skewed": (131, 7),
        }.items()
    }
    dtypes = LAPACK
    part_read = {"data": "the vectors, below the diagonal"}
    reference = householder_product
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the vectors' shape."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows >= columns, "data", "must have at least as many rows as columns")
        self.require(self.inputs["scales"] == (columns,), "scales", f"must be ({columns},)")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return 2 m n^2 - 2/3 n^3 (LAPACK Working Note 41, appendix C)."""
        rows, columns = map(int, self.inputs["data"])
        return 2 * rows * columns**2 - 2 * columns**3 // 3

    def elements_read(self) -> dict[str, int]:
        """Return the elements below the diagonal, and the scales."""
        rows, columns = self.inputs["data"]
        return {"data": columns * (2 * rows - columns - 1) // 2, "scales": columns}


class Vander(Declaration):
    """data[i]^j: the Vandermonde matrix."""

    tensors = {"data": Tensor(low=-1, high=1)}
    attributes = {"count": 16}
    sizes = {
        "small": {"data": (64,)},
        "typical": {"data": (16384,)},
        "large": {"data": (262144,)},
        "skewed": {"data": (131,), "count": 64},
    }
    dtypes = LAPACK
    reference = powers_of
    gradient = powers_of_gradient
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row per number."""
        self.require_rank("data", 1)
        self.require(self.inputs["count"] > 1, "count", "must be more than 1")
        return ((*self.inputs["data"], self.inputs["count"]),)

    def flop_count(self) -> int:
        """Return one multiplication per power from the second on."""
        return int(self.inputs["data"][0]) * (int(self.inputs["count"]) - 2)
