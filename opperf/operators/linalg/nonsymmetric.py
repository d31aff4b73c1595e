"""Eigenvalues and eigenvectors of nonsymmetric matrices with real eigenvalues.

Frameworks may return complex numbers, of which the real parts are compared, in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.decompositions import Decomposition
from opperf.operators.linalg.linalg import SquareMatrix
from opperf.operators.linalg.spectra import SPECTRUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


def nonorthogonal(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a matrix with eigenvalues evenly spaced from 1 to 2 and nonorthogonal eigenvectors."""
    del low, high  # the spectrum is what counts
    order = shape[0]
    vectors = np.eye(order) + random.standard_normal(shape) / (8 * np.sqrt(order))
    return (vectors * np.linspace(1, 2, order)) @ np.linalg.inv(vectors)


def eigen(data: Array) -> tuple[Array, Array]:
    """Return the real parts of the eigenvalues and eigenvectors."""
    values, vectors = np.linalg.eig(data)
    return values.real, vectors.real


def eigenvalues(data: Array) -> Array:
    """Return the real parts of the eigenvalues."""
    return np.linalg.eigvals(data).real


class EigVals(SquareMatrix):
    """The eigenvalues of a nonsymmetric matrix; forward only."""

    tensors = {"data": Tensor(initializer=nonorthogonal)}
    sizes = {size: {"data": (order, order)} for size, order in SPECTRUM.items()}
    reference = eigenvalues
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per row."""
        return (super().outputs()[0][:1],)

    def flop_count(self) -> int:
        """Return 10 n^3 (Golub and Van Loan 2013, section 7.5.6)."""
        return 10 * int(self.inputs["data"][0]) ** 3

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare the eigenvalues in ascending order."""
        return super().compare_outputs(
            [np.sort(values) for values in actual], [np.sort(values) for values in expected]
        )


class Eig(Decomposition, SquareMatrix):
    """The eigenvalues and eigenvectors of a nonsymmetric matrix; forward only."""

    tensors = EigVals.tensors
    sizes = EigVals.sizes
    reference = eigen
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of eigenvalues and eigenvectors."""
        (shape,) = super().outputs()
        return shape[:1], shape

    def flop_count(self) -> int:
        """Return 25 n^3 (Golub and Van Loan 2013, section 7.5.6)."""
        return 25 * int(self.inputs["data"][0]) ** 3

    def properties(
        self, outputs: Sequence[Array], expected: Sequence[Array], data: Array
    ) -> dict[str, tuple[Array, Array]]:
        """Return the eigenvalues, A v against lambda v, and ||v|| against 1."""
        values, vectors = outputs
        return {
            "output 0, in order": (np.sort(values), np.sort(expected[0])),
            "the image of output 1": (data @ vectors, vectors * values),
            "the length of output 1": (np.linalg.norm(vectors, axis=0), np.ones(len(values))),
        }
