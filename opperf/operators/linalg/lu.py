"""The LU factors of a matrix, and systems solved by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.operators.linalg.linalg import ORDERS, Square, near_identity
from opperf.operators.linalg.solving import System

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def ranks(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Return that no rows change places, counted from 1 as LAPACK does."""
    del random, low, high  # nothing is drawn
    return np.arange(1, shape[0] + 1)


def halves_of(data: Array) -> tuple[Array, Array]:
    """Return the unit lower and the upper triangle that one matrix holds."""
    return np.tril(data, -1) + np.eye(len(data), dtype=data.dtype), np.triu(data)


def solve_lu(data: Array, pivots: Array, rhs: Array) -> Array:
    """Return the solution of L U x = rhs, where no rows change places."""
    del pivots  # 1, 2, 3, ...
    lower, upper = halves_of(data)
    return np.linalg.solve(upper, np.linalg.solve(lower, rhs))


def solve_lu_gradient(
    cotangents: Sequence[Array], data: Array, pivots: Array, rhs: Array
) -> tuple[Array, Array]:
    """Solve by the transposed factors in reverse."""
    lower, upper = halves_of(data)
    between = np.linalg.solve(upper.T, cotangents[0])
    by_rhs = np.linalg.solve(lower.T, between)
    by_upper = -between @ solve_lu(data, pivots, rhs).T
    by_lower = -by_rhs @ np.linalg.solve(lower, rhs).T
    return np.triu(by_upper) + np.tril(by_lower, -1), by_rhs


def factor_lu(data: Array) -> Array:
    """Return both factors in one matrix, by elimination without pivots (Golub and Van Loan, 3.2).

    Near the identity the diagonal holds the largest element of each column, so none are needed.
    """
    found = data.copy()
    for at in range(len(data) - 1):
        found[at + 1 :, at] /= found[at, at]
        found[at + 1 :, at + 1 :] -= np.outer(found[at + 1 :, at], found[at, at + 1 :])
    return found


def factor_lu_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate in reverse (Lezcano-Casado 2019, as PyTorch cites it)."""
    lower, upper = halves_of(factor_lu(data))
    inner = np.tril(lower.T @ np.tril(cotangents[0], -1), -1) + np.triu(
        np.triu(cotangents[0]) @ upper.T
    )
    return (np.linalg.solve(lower.T, np.linalg.solve(upper, inner.T).T),)


class LUSolve(System):
    """The solution of linear systems by a matrix's LU factors, of rows that keep their places."""

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


class LU(Square):
    """The LU factors of a matrix in one; PyTorch finds the pivots as well."""

    tensors = {"data": Tensor(initializer=near_identity)}
    reference = factor_lu
    gradient = factor_lu_gradient

    def flop_count(self) -> int:
        """Return 2/3 n^3 (Golub and Van Loan 2013, section 3.2)."""
        return 2 * int(self.inputs["data"][0]) ** 3 // 3
