"""LU factorization, and linear systems solved from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.operators.linalg.linalg import ORDERS, SquareMatrix, near_identity
from opperf.operators.linalg.solving import LinearSystem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def ranks(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Return the pivots of a factorization without row exchanges, counted from 1 like LAPACK's."""
    del random, low, high  # nothing is drawn
    return np.arange(1, shape[0] + 1)


def halves_of(data: Array) -> tuple[Array, Array]:
    """Return the unit lower and the upper triangle stored in one matrix."""
    return np.tril(data, -1) + np.eye(len(data), dtype=data.dtype), np.triu(data)


def solve_lu(data: Array, pivots: Array, rhs: Array) -> Array:
    """Return x of L U x = rhs, without row exchanges."""
    del pivots  # 1, 2, 3, ...
    lower, upper = halves_of(data)
    return np.linalg.solve(upper, np.linalg.solve(lower, rhs))


def solve_lu_gradient(
    cotangents: Sequence[Array], data: Array, pivots: Array, rhs: Array
) -> tuple[Array, Array]:
    """Solve with the transposed factors in reverse order."""
    lower, upper = halves_of(data)
    between = np.linalg.solve(upper.T, cotangents[0])
    by_rhs = np.linalg.solve(lower.T, between)
    by_upper = -between @ solve_lu(data, pivots, rhs).T
    by_lower = -by_rhs @ np.linalg.solve(lower, rhs).T
    return np.triu(by_upper) + np.tril(by_lower, -1), by_rhs


def factor_lu(data: Array) -> Array:
    """Return L and U in one matrix, by elimination without pivoting.

    As in Golub and Van Loan, 3.2. Near the identity the diagonal holds the largest element of each
    column, so no pivoting is needed.
    """
    found = data.copy()
    for at in range(len(data) - 1):
        found[at + 1 :, at] /= found[at, at]
        found[at + 1 :, at + 1 :] -= np.outer(found[at + 1 :, at], found[at, at + 1 :])
    return found


def factor_lu_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate in reverse (Lezcano-Casado 2019)."""
    lower, upper = halves_of(factor_lu(data))
    inner = np.tril(lower.T @ np.tril(cotangents[0], -1), -1) + np.triu(
        np.triu(cotangents[0]) @ upper.T
    )
    return (np.linalg.solve(lower.T, np.linalg.solve(upper, inner.T).T),)


class LUSolve(LinearSystem):
    """x of L U x = rhs, from the LU factors of a matrix without row exchanges."""

    tensors = {
        "data": Tensor(initializer=near_identity),
        "pivots": Tensor(low=1, high=2**31, dtype="int32", differentiable=False, initializer=ranks),
        "rhs": Tensor(),
    }
    sizes = {
        size: {"data": (order, order), "pivots": (order,), "rhs": (order, order // 16)}
        for size, order in ORDERS.items()
    }
    reference = solve_lu
    gradient = solve_lu_gradient
    triangles = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the right-hand sides."""
        found = super().outputs()
        rows = self.inputs["data"][:1]
        self.require(self.inputs["pivots"] == rows, "pivots", f"must be {rows}")
        return found


class LU(SquareMatrix):
    """L and U of A = L U, stored in one matrix."""

    tensors = {"data": Tensor(initializer=near_identity)}
    reference = factor_lu
    gradient = factor_lu_gradient

    def flop_count(self) -> int:
        """Return 2/3 n^3 (Golub and Van Loan 2013, section 3.2)."""
        return 2 * int(self.inputs["data"][0]) ** 3 // 3
