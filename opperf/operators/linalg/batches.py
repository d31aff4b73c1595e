"""Operators on batches of small matrices.

Typical are 64 matrices of order 64; skewed are many of order 3, such as rotations and covariances
of points.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.linalg import LAPACK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


BATCHES = {
    "small": (4, 16, 16),
    "typical": (64, 64, 64),
    "large": (64, 256, 256),
    "skewed": (4096, 3, 3),
}


def near_identities(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw matrices whose singular values lie between about 1/2 and 3/2."""
    del low, high  # the spectrum is what counts
    order = shape[-1]
    return random.standard_normal(shape) / (4 * sqrt(order)) + np.eye(order)


def transpose(data: Array) -> Array:
    """Transpose each matrix."""
    return np.swapaxes(data, -1, -2)


def each(cotangent: Array) -> Array:
    """Return one number per matrix, broadcasting over the matrices."""
    return cotangent[:, None, None]


def determinant_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent * det(A) * inv(A)^T (Giles 2008, section 2.2.4)."""
    return (each(cotangents[0] * np.linalg.det(data)) * transpose(np.linalg.inv(data)),)


def signed_log_determinant(data: Array) -> tuple[Array, Array]:
    """Return sign(det(A)) and log|det(A)|."""
    sign, size = np.linalg.slogdet(data)
    return sign, size


def log_determinant_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent * inv(A)^T."""
    return (each(cotangents[0]) * transpose(np.linalg.inv(data)),)


def frobenius(data: Array) -> Array:
    """Return the Frobenius norm of each matrix."""
    return np.sqrt(np.sum(data * data, axis=(1, 2)))


def frobenius_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent * A / norm(A)."""
    return (each(cotangents[0] / frobenius(data)) * data,)


def sum_of_logs(data: Array) -> Array:
    """sum(log(A[i, i])) for each matrix."""
    return np.log(np.diagonal(data, axis1=1, axis2=2)).sum(axis=1)


def sum_of_logs_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent / A[i, i] on each diagonal."""
    return (each(cotangents[0]) * np.eye(data.shape[-1]) / data,)


class MatrixBatch(Declaration, abstract=True):
    """An operator from a batch of square matrices to one number each."""

    tensors = {"data": Tensor(initializer=near_identities)}
    sizes: ClassVar[Sizes] = {size: {"data": shape} for size, shape in BATCHES.items()}
    dtypes = LAPACK
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number per matrix."""
        self.require_rank("data", 3)
        count, rows, columns = self.inputs["data"]
        self.require(rows == columns, "data", "must be matrices with as many rows as columns")
        return ((count,),)


class Determinant(MatrixBatch):
    """det(A) for each matrix."""

    reference: ClassVar[Callable[..., Any]] = np.linalg.det
    gradient = determinant_gradient

    def flop_count(self) -> int:
        """Return 2/3 n^3 per matrix (Golub and Van Loan 2013, section 3.2)."""
        count, order, _ = self.inputs["data"]
        return 2 * int(count) * int(order) ** 3 // 3


class SLogDet(Determinant):
    """sign(det(A)) and log|det(A)| for each matrix; only the logarithm is differentiated."""

    reference = signed_log_determinant
    gradient = log_determinant_gradient
    differentiable_outputs = (1,)
    tolerance = CANCELING_TERMS.because("the logarithm of a rounded determinant near one")

    def outputs(self) -> tuple[Shape, ...]:
        """Return two numbers per matrix."""
        return super().outputs() * 2


class MatrixNorm(MatrixBatch):
    """The Frobenius norm of each matrix."""

    reference = frobenius
    gradient = frobenius_gradient

    def flop_count(self) -> int:
        """Return a multiplication and an addition per element."""
        return 2 * prod(self.inputs["data"])


class SumLogDiag(MatrixBatch):
    """sum(log(A[i, i])) for each matrix: half the log-determinant, of Cholesky factors."""

    part_read = {"data": "the diagonals"}
    reference = sum_of_logs
    gradient = sum_of_logs_gradient

    def flop_count(self) -> int:
        """Return a logarithm and an addition per diagonal element."""
        return 2 * prod(self.inputs["data"][:2])

    def elements_read(self) -> dict[str, int]:
        """Return the diagonal elements."""
        return {"data": prod(self.inputs["data"][:2])}


def powers(data: Array, *, n: int) -> Array:
    """A^n for each matrix."""
    return np.linalg.matrix_power(data, n)


def powers_gradient(cotangents: Sequence[Array], data: Array, *, n: int) -> tuple[Array]:
    """Sum the cotangent's product with the powers on both sides of each factor."""
    other = transpose(data)
    terms = [powers(other, n=at) @ cotangents[0] @ powers(other, n=n - 1 - at) for at in range(n)]
    return (np.sum(terms, axis=0),)


class MatrixPower(MatrixBatch):
    """A^n for each matrix, with an integer n."""

    attributes = {"n": 3}
    most = 64
    reference = powers
    gradient = powers_gradient
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the matrices' shape."""
        super().outputs()
        fits = 1 <= self.inputs["n"] <= self.most
        self.require(fits, "n", f"must lie in [1, {self.most}]: the gradient takes n products")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return 2 n^3 per product, by squaring (Golub and Van Loan 2013, section 9.2.5)."""
        count, order, _ = self.inputs["data"]
        n = int(self.inputs["n"])
        return 2 * int(count) * int(order) ** 3 * (n.bit_length() - 1 + n.bit_count() - 1)
