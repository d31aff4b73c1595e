"""Matrix decompositions and inverses, which frameworks compute by LAPACK.

Inputs are well conditioned: an ill-conditioned matrix would only show the rounding of its entries.
Square matrices are of order 512 in typical, like the factors that Shampoo and K-FAC keep of
ResNet-50's last stage, and of prime order in skewed.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.decompositions import CloseValues, Decomposition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape

LAPACK = ("float64", "float32")
"""The real types of LAPACK, and so of every framework."""
ORDERS = {"small": 64, "typical": 512, "large": 1536, "skewed": 131}


def spectral(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a matrix with singular values evenly spaced from 1 to 2."""
    del low, high  # the spectrum is what counts
    count = min(shape)
    left, right = (np.linalg.qr(random.standard_normal((size, count)))[0] for size in shape)
    result: Array = (left * np.linspace(1, 2, count)) @ right.T
    return result


def near_identity(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a matrix whose singular values lie between about 1/2 and 3/2."""
    del low, high  # likewise
    rows, columns = shape
    return random.standard_normal(shape) / (4 * sqrt(max(shape))) + np.eye(rows, columns)


def positive_definite(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw A A^T with A near the identity."""
    factor = near_identity(random, shape, low, high)
    return factor @ factor.T


class TallMatrix(Declaration, abstract=True):
    """An operator on a matrix with at least as many rows as columns."""

    dtypes = LAPACK
    tolerance = gradient_tolerance = CANCELING_SUMS

    def dimensions(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows >= columns, "data", "must have at least as many rows as columns")
        return int(rows), int(columns)


class SquareMatrix(Declaration, abstract=True):
    """An operator on one square matrix."""

    sizes = {size: {"data": (order, order)} for size, order in ORDERS.items()}
    dtypes = LAPACK
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the matrix's shape."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows == columns, "data", "must have as many rows as columns")
        return ((rows, columns),)


def cholesky(data: Array) -> Array:
    """Return L of A = L L^T, of the symmetric part of the input."""
    return np.linalg.cholesky((data + data.T) / 2)


def cholesky_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate in reverse (Murray 2016), symmetrized."""
    factor = cholesky(data)
    inner: Array = np.tril(factor.T @ cotangents[0])
    inner -= np.diag(np.diag(inner)) / 2
    inverse = np.linalg.inv(factor)
    outer = inverse.T @ inner @ inverse
    return ((outer + outer.T) / 2,)


class Cholesky(SquareMatrix):
    """L of A = L L^T, for a symmetric positive definite A."""

    tensors = {"data": Tensor(initializer=positive_definite)}
    reference = cholesky
    gradient = cholesky_gradient

    def flop_count(self) -> int:
        """Return n^3 / 3 (Golub and Van Loan 2013, section 4.2.5)."""
        return int(self.inputs["data"][0]) ** 3 // 3


def inverse_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """-inv(A)^T cotangent inv(A)^T."""
    inverse = np.linalg.inv(data)
    return (-inverse.T @ cotangents[0] @ inverse.T,)


class Inverse(SquareMatrix):
    """inv(A) of a square matrix."""

    tensors = {"data": Tensor(initializer=near_identity)}
    reference = np.linalg.inv
    gradient = inverse_gradient
    backward_work = 2

    def flop_count(self) -> int:
        """Return 2 n^3, of which 2/3 n^3 for LU (LAPACK Working Note 41, appendix C)."""
        return 2 * int(self.inputs["data"][0]) ** 3


def qr(data: Array) -> tuple[Array, Array]:
    """Return Q and R of A = Q R, with LAPACK's signs.

    The signs follow from Householder's reflections as LAPACK chooses them (dlarfg).
    """
    columns, triangle = np.linalg.qr(data)
    return columns, triangle


def qr_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate in reverse (Walter and Lehmann 2012; Liao et al. 2019)."""
    columns, triangle = qr(data)
    by_columns, by_triangle = cotangents
    inner: Array = np.tril(triangle @ by_triangle.T - by_columns.T @ columns)
    inner += np.tril(inner, -1).T
    return (np.linalg.solve(triangle, (by_columns + columns @ inner).T).T,)


class QR(TallMatrix):
    """Q and R of A = Q R, with at least as many rows as columns.

    Typical has twice as many; skewed is the tall and thin matrix that PowerSGD orthogonalizes.
    """

    tensors = {"data": Tensor(initializer=near_identity)}
    sizes = {
        "small": {"data": (64, 32)},
        "typical": {"data": (512, 256)},
        "large": {"data": (1024, 512)},
        "skewed": {"data": (10000, 10)},
    }
    reference = qr
    gradient = qr_gradient
    differentiable_outputs = (0, 1)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of Q and R."""
        rows, columns = self.dimensions()
        return (rows, columns), (columns, columns)

    def flop_count(self) -> int:
        """Return 4 m n^2 - 4/3 n^3, half of it for Q (LAPACK Working Note 41, appendix C)."""
        rows, columns = self.dimensions()
        return 4 * rows * columns**2 - 4 * columns**3 // 3


def svd(data: Array) -> tuple[Array, Array, Array]:
    """Return U, the singular values in descending order, and V^T."""
    left, values, right = np.linalg.svd(data, full_matrices=False)
    return left, values, right


def svd_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """U diag(cotangent) V^T (Papadopoulo and Lourakis 2000)."""
    left, _, right = svd(data)
    return ((left * cotangents[0]) @ right,)


class SVD(CloseValues, Decomposition):
    """U, S and V^T of A = U S V^T, the thin singular value decomposition.

    Differentiated by the singular values, which alone are unique. Typical has twice as many columns
    as rows.
    """

    tensors = {"data": Tensor(initializer=spectral)}
    sizes = {
        "small": {"data": (16, 32)},
        "typical": {"data": (128, 256)},
        "large": {"data": (256, 512)},
        "skewed": {"data": (10, 10000)},
    }
    dtypes = LAPACK
    reference = svd
    gradient = svd_gradient
    differentiable_outputs = (1,)
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of U, S and V^T."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows <= columns, "data", "must have at least as many columns as rows")
        return (rows, rows), (rows,), (rows, columns)

    def flop_count(self) -> int:
        """Return 6 n m^2 + 20 m^3 for m rows (Golub and Van Loan 2013, section 8.6, R-SVD)."""
        rows, columns = map(int, self.inputs["data"])
        return 6 * columns * rows**2 + 20 * rows**3

    def properties(
        self, outputs: Sequence[Array], expected: Sequence[Array], data: Array
    ) -> dict[str, tuple[Array, Array]]:
        """Return the singular values, U S V^T against the data, and U^T U and V^T V against I."""
        left, values, right = outputs
        one = np.eye(len(values))
        return {
            "output 1": (values, expected[1]),
            "the product": ((left * values) @ right, data),
            "output 0 by itself": (left.T @ left, one),
            "output 2 by itself": (right @ right.T, one),
        }
