"""Linear systems, solved from a matrix or from its factors.

The right-hand side has as many columns as a sixteenth of the order; matrices are well conditioned,
as in the decompositions.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.linalg import LAPACK, ORDERS, SquareMatrix, near_identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


def lower_triangle(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a lower triangle near the identity, with zeros above, as some gradients require."""
    return np.tril(near_identity(random, shape, low, high))


def solve(data: Array, rhs: Array) -> Array:
    """Return x of A x = rhs."""
    return np.linalg.solve(data, rhs)


def solve_gradient(cotangents: Sequence[Array], data: Array, rhs: Array) -> tuple[Array, Array]:
    """Solve with A^T (Giles 2008, section 2.3.1)."""
    by_rhs = np.linalg.solve(data.T, cotangents[0])
    return -by_rhs @ solve(data, rhs).T, by_rhs


def solve_lower(data: Array, rhs: Array) -> Array:
    """Return x of L x = rhs."""
    return np.linalg.solve(np.tril(data), rhs)


def solve_lower_gradient(
    cotangents: Sequence[Array], data: Array, rhs: Array
) -> tuple[Array, Array]:
    """Solve with L^T; above the diagonal the gradient is zero."""
    by_data, by_rhs = solve_gradient(cotangents, np.tril(data), rhs)
    return np.tril(by_data), by_rhs


def solve_factored(rhs: Array, factor: Array) -> Array:
    """Return x of L L^T x = rhs."""
    return np.linalg.solve(factor @ factor.T, rhs)


def solve_factored_gradient(
    cotangents: Sequence[Array], rhs: Array, factor: Array
) -> tuple[Array, Array]:
    """Differentiate by L L^T, then by L."""
    by_product, by_rhs = solve_gradient(cotangents, factor @ factor.T, rhs)
    return by_rhs, (by_product + by_product.T) @ factor


def invert_factored(data: Array) -> Array:
    """inv(L L^T)."""
    return np.linalg.inv(data @ data.T)


def invert_factored_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate by L L^T, then by L."""
    inverse = invert_factored(data)
    by_product = -inverse @ cotangents[0] @ inverse
    return ((by_product + by_product.T) @ data,)


class LinearSystem(Declaration, abstract=True):
    """A square matrix and right-hand sides."""

    tensors = {"data": Tensor(initializer=near_identity), "rhs": Tensor()}
    sizes = {
        size: {"data": (order, order), "rhs": (order, order // 16)}
        for size, order in ORDERS.items()
    }
    dtypes = LAPACK
    triangles: ClassVar[int] = 1
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the right-hand sides."""
        name = "factor" if "factor" in self.tensors else "data"
        self.require_rank(name, 2)
        self.require_rank("rhs", 2)
        rows, columns = self.inputs[name]
        self.require(rows == columns, name, "must have as many rows as columns")
        fits = self.inputs["rhs"][0] == rows
        self.require(fits, "rhs", f"must have {rows} rows, as {name} has")
        return (self.inputs["rhs"],)

    def flop_count(self) -> int:
        """Return n^2 k per triangle (Golub and Van Loan 2013, section 3.1)."""
        return self.triangles * prod(self.inputs["rhs"]) * int(self.inputs["rhs"][0])


class Solve(LinearSystem):
    """x of A x = rhs, with a square A."""

    reference = solve
    gradient = solve_gradient
    triangles = 2

    def flop_count(self) -> int:
        """Return 2/3 n^3 for LU and 2 n^2 k (Golub and Van Loan 2013, section 3.2)."""
        return 2 * int(self.inputs["rhs"][0]) ** 3 // 3 + super().flop_count()


class TriangularSolve(LinearSystem):
    """x of L x = rhs, with a lower triangular L."""

    part_read = {"data": "the triangle"}
    reference = solve_lower
    gradient = solve_lower_gradient

    def elements_read(self) -> dict[str, int]:
        """Return the triangle and the right-hand sides."""
        rows, _ = self.inputs["data"]
        return {"data": rows * (rows + 1) // 2, "rhs": prod(self.inputs["rhs"])}


class CholeskySolve(LinearSystem):
    """x of L L^T x = rhs, from the Cholesky factor L."""

    tensors = {"rhs": Tensor(), "factor": Tensor(initializer=lower_triangle)}
    sizes = {
        size: {"rhs": (order, order // 16), "factor": (order, order)}
        for size, order in ORDERS.items()
    }
    reference = solve_factored
    gradient = solve_factored_gradient
    triangles = 2


class CholeskyInverse(SquareMatrix):
    """inv(L L^T), from the Cholesky factor L."""

    tensors = {"data": Tensor(initializer=lower_triangle)}
    reference = invert_factored
    gradient = invert_factored_gradient

    def check_gradients(self, check: Check[Mapping[str, Array]]) -> Comparison:
        """Accept the gradient by L, or only its lower triangle: frameworks differ."""
        found = super().check_gradients(check)
        if not found.fault:
            return found
        lower = {name: np.tril(array) for name, array in check.expected.items()}
        return super().check_gradients(replace(check, expected=lower))

    def flop_count(self) -> int:
        """Return 2/3 n^3 (LAPACK Working Note 41, appendix C)."""
        return 2 * int(self.inputs["data"][0]) ** 3 // 3
