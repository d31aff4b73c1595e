"""Operators of many small matrices at once.

Typical are 64 matrices of order 64; skewed are very many of order 3, as rotations and covariances
of points are.
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
    """Draw matrices whose singular values lie between 1/2 and 3/2, or little beyond."""
    del low, high  # the spectrum is what counts
    order = shape[-1]
    return random.standard_normal(shape) / (4 * sqrt(order)) + np.eye(order)


def transposed(data: Array) -> Array:
    """Return each matrix's transpose."""
    return np.swapaxes(data, -1, -2)


def each(seed: Array) -> Array:
    """Return one number a matrix so that it broadcasts over the matrices."""
    return seed[:, None, None]


def determinant_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Multiply determinant and transposed inverse (Giles 2008, section 2.2.4)."""
    return (each(cotangents[0] * np.linalg.det(data)) * transposed(np.linalg.inv(data)),)


def signed_log_determinant(data: Array) -> tuple[Array, Array]:
    """Return the determinant's sign and the logarithm of its size."""
    sign, size = np.linalg.slogdet(data)
    return sign, size


def log_determinant_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the transposed inverse."""
    return (each(cotangents[0]) * transposed(np.linalg.inv(data)),)


def frobenius(data: Array) -> Array:
    """Return the root of the sum of squares of each matrix."""
    return np.sqrt(np.sum(data * data, axis=(1, 2)))


def frobenius_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return each matrix, scaled to the norm's gradient."""
    return (each(cotangents[0] / frobenius(data)) * data,)


def sum_of_logs(data: Array) -> Array:
    """Return the sum of the logarithms of each diagonal."""
    return np.log(np.diagonal(data, axis1=1, axis2=2)).sum(axis=1)


def sum_of_logs_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return one over each element of the diagonal."""
    return (each(cotangents[0]) * np.eye(data.shape[-1]) / data,)


class Batch(Declaration, abstract=True):
    """A batch of square matrices, and one number of each."""

    tensors = {"data": Tensor(initializer=near_identities)}
    sizes: ClassVar[Sizes] = {size: {"data": shape} for size, shape in BATCHES.items()}
    dtypes = LAPACK
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return a number a matrix."""
        self.require_rank("data", 3)
        count, rows, columns = self.inputs["data"]
        self.require(rows == columns, "data", "must be matrices with as many rows as columns")
        return ((count,),)


class Determinant(Batch):
    """The determinant of each matrix."""

    reference: ClassVar[Callable[..., Any]] = np.linalg.det
    gradient = determinant_gradient

    def flop_count(self) -> int:
        """Return 2/3 n^3 a matrix (Golub and Van Loan 2013, section 3.2)."""
        count, order, _ = self.inputs["data"]
        return 2 * int(count) * int(order) ** 3 // 3


class SLogDet(Determinant):
    """The sign of each determinant and the logarithm of its size, which alone has a gradient."""

    reference = signed_log_determinant
    gradient = log_determinant_gradient
    differentiable_outputs = (1,)
    tolerance = CANCELING_TERMS.because("the logarithm of a rounded determinant near one")

    def outputs(self) -> tuple[Shape, ...]:
        """Return two numbers a matrix."""
        return super().outputs() * 2


class MatrixNorm(Batch):
    """The Frobenius norm of each matrix."""

    reference = frobenius
    gradient = frobenius_gradient

    def flop_count(self) -> int:
        """Return a multiplication and an addition an element."""
        return 2 * prod(self.inputs["data"])


class SumLogDiag(Batch):
    """The sum of the logarithms of each diagonal: half a log-determinant, of Cholesky factors."""

    part_read = {"data": "the diagonals"}
    reference = sum_of_logs
    gradient = sum_of_logs_gradient

    def flop_count(self) -> int:
        """Return a logarithm and a sum an element of the diagonals."""
        return 2 * prod(self.inputs["data"][:2])

    def elements_read(self) -> dict[str, int]:
        """Return the elements of the diagonals."""
        return {"data": prod(self.inputs["data"][:2])}


def powers(data: Array, *, n: int) -> Array:
    """Return each matrix multiplied by itself."""
    return np.linalg.matrix_power(data, n)


def powers_gradient(cotangents: Sequence[Array], data: Array, *, n: int) -> tuple[Array]:
    """Add up what each factor gets between those before and after it."""
    other = transposed(data)
    terms = [powers(other, n=at) @ cotangents[0] @ powers(other, n=n - 1 - at) for at in range(n)]
    return (np.sum(terms, axis=0),)


class MatrixPower(Batch):
    """Each matrix to the power of a whole number."""

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
        """Return 2 n^3 a product, by squaring (Golub and Van Loan 2013, section 9.2.5)."""
        count, order, _ = self.inputs["data"]
        n = int(self.inputs["n"])
        return 2 * int(count) * int(order) ** 3 * (n.bit_length() - 1 + n.bit_count() - 1)
