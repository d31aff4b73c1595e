"""Eigenvalues of symmetric matrices, pseudoinverse, least squares and matrix exponential."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.decompositions import CloseValues, Decomposition
from opperf.operators.linalg.linalg import SquareMatrix, TallMatrix, near_identity, spectral

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


SPECTRUM = {"small": 16, "typical": 128, "large": 512, "skewed": 31}
SQUARINGS, TERMS = 4, 16
"""Of the exponential: for norms below 4 the remainder of the series is below rounding."""


def symmetric(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a symmetric matrix with eigenvalues evenly spaced from 1 to 2."""
    del low, high  # the spectrum is what counts
    vectors = np.linalg.qr(random.standard_normal(shape))[0]
    return (vectors * np.linspace(1, 2, len(vectors))) @ vectors.T


def eigen(data: Array) -> tuple[Array, Array]:
    """Return the eigenvalues in ascending order, and the eigenvectors as columns."""
    values, vectors = np.linalg.eigh((data + data.T) / 2)
    return values, vectors


def eigenvalues(data: Array) -> Array:
    """Return the eigenvalues in ascending order."""
    return eigen(data)[0]


def eigenvalues_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """V diag(cotangent) V^T (Giles 2008, 3.1)."""
    _, vectors = eigen(data)
    return ((vectors * cotangents[0]) @ vectors.T,)


class Eigenvalues(CloseValues, SquareMatrix, abstract=True):
    """An eigenvalue decomposition of a symmetric matrix.

    Skewed is of prime order; typical is smaller than that of the decompositions.
    """

    tensors = {"data": Tensor(initializer=symmetric)}
    sizes = {size: {"data": (order, order)} for size, order in SPECTRUM.items()}


class EigH(Decomposition, Eigenvalues):
    """The eigenvalues and eigenvectors of a symmetric matrix; differentiated by the eigenvalues."""

    reference = eigen
    gradient = eigenvalues_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of eigenvalues and eigenvectors."""
        (shape,) = super().outputs()
        return shape[:1], shape

    def flop_count(self) -> int:
        """Return 9 n^3 (Golub and Van Loan 2013, section 8.3.3)."""
        return 9 * int(self.inputs["data"][0]) ** 3

    def properties(
        self, outputs: Sequence[Array], expected: Sequence[Array], data: Array
    ) -> dict[str, tuple[Array, Array]]:
        """Return the eigenvalues, A V against V diag(values), and V^T V against I."""
        values, vectors = outputs
        return {
            "output 0": (values, expected[0]),
            "the product": ((vectors * values) @ vectors.T, data),
            "output 1 by itself": (vectors.T @ vectors, np.eye(len(values))),
        }


class EigValsH(Eigenvalues):
    """The eigenvalues of a symmetric matrix."""

    reference = eigenvalues
    gradient = eigenvalues_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per row."""
        return (super().outputs()[0][:1],)

    def flop_count(self) -> int:
        """Return 4/3 n^3 (Golub and Van Loan 2013, section 8.3.3)."""
        return 4 * int(self.inputs["data"][0]) ** 3 // 3


def pseudoinverse(data: Array) -> Array:
    """Return the Moore-Penrose inverse."""
    return np.linalg.pinv(data)


def pseudoinverse_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate for full column rank (Golub and Pereyra 1973, equation 4.12)."""
    inverse, cotangent = pseudoinverse(data), cotangents[0]
    outside = cotangent.T @ (inverse @ inverse.T)
    outside = outside - data @ (inverse @ outside)
    return (outside - inverse.T @ (cotangent @ inverse.T),)


def least_squares(data: Array, rhs: Array) -> Array:
    """Return the x that minimizes ||A x - rhs||."""
    return pseudoinverse(data) @ rhs


def least_squares_gradient(
    cotangents: Sequence[Array], data: Array, rhs: Array
) -> tuple[Array, Array]:
    """Differentiate by the pseudoinverse and by the right-hand sides."""
    (by_data,) = pseudoinverse_gradient([cotangents[0] @ rhs.T], data)
    return by_data, pseudoinverse(data).T @ cotangents[0]


class Pinv(TallMatrix):
    """The Moore-Penrose inverse of a matrix with twice as many rows as columns."""

    tensors = {"data": Tensor(initializer=spectral)}
    sizes = {
        "small": {"data": (32, 16)},
        "typical": {"data": (256, 128)},
        "large": {"data": (1024, 512)},
        "skewed": {"data": (2000, 10)},
    }
    reference = pseudoinverse
    gradient = pseudoinverse_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the transposed shape."""
        rows, columns = self.dimensions()
        return ((columns, rows),)

    def flop_count(self) -> int:
        """Return 8 m n^2 + 20 n^3, 2 m n^2 of it after the SVD (Golub and Van Loan 2013, 8.6)."""
        rows, columns = self.dimensions()
        return 8 * rows * columns**2 + 20 * columns**3


class LeastSquares(TallMatrix):
    """The x that minimizes ||A x - rhs||, by QR."""

    tensors = {"data": Tensor(initializer=near_identity), "rhs": Tensor()}
    sizes = {
        "small": {"data": (64, 32), "rhs": (64, 4)},
        "typical": {"data": (512, 256), "rhs": (512, 16)},
        "large": {"data": (1024, 512), "rhs": (1024, 64)},
        "skewed": {"data": (2000, 10), "rhs": (2000, 1)},
    }
    reference = least_squares
    gradient = least_squares_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one column per right-hand side."""
        self.require_rank("rhs", 2)
        rows, columns = self.dimensions()
        self.require(self.inputs["rhs"][0] == rows, "rhs", f"must have {rows} rows, as data has")
        return ((columns, self.inputs["rhs"][1]),)

    def flop_count(self) -> int:
        """Return 2 m n^2 - 2/3 n^3 (Golub and Van Loan 2013, section 5.3.2), and 4 m n a column."""
        rows, columns = self.dimensions()
        width = int(self.inputs["rhs"][1])
        return 2 * rows * columns**2 - 2 * columns**3 // 3 + 4 * rows * columns * width


def exponential(data: Array) -> Array:
    """exp(A), by scaling and squaring of the series (Moler and Van Loan 2003)."""
    scaled = data / 2.0**SQUARINGS
    term = total = np.eye(len(data), dtype=data.dtype)
    for at in range(1, TERMS):
        term = term @ scaled / float(at)
        total = total + term
    for _ in range(SQUARINGS):
        total = total @ total
    return total


def exponential_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the upper right block of the exponential of a block matrix (Mathias 1996)."""
    order = len(data)
    both = np.block([[data.T, cotangents[0]], [np.zeros_like(data), data.T]])
    return (exponential(both)[:order, order:],)


class MatrixExp(SquareMatrix):
    """exp(A) of a matrix near the identity."""

    tensors = {"data": Tensor(initializer=near_identity)}
    reference = exponential
    gradient = exponential_gradient
    sizes = {size: {"data": (order, order)} for size, order in SPECTRUM.items()}

    def flop_count(self) -> int:
        """Return ten products: Taylor's of degree 18 in five, and at most five squarings."""
        return 20 * int(self.inputs["data"][0]) ** 3
