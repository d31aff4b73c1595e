"""Inverse and linear system of tensors read as matrices, and the trace."""

from __future__ import annotations

from math import isqrt, prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.linalg import LAPACK, SquareMatrix, near_identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


SIDES = {"small": (8, 8), "typical": (16, 16), "large": (32, 32), "skewed": (131, 3)}


def trace(data: Array) -> Array:
    """sum(A[i, i])."""
    return np.asarray(np.trace(data))


def trace_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent * I."""
    return (cotangents[0] * np.eye(len(data)),)


class Trace(SquareMatrix):
    """sum(A[i, i])."""

    tensors = {"data": Tensor()}
    part_read = {"data": "the diagonal"}
    reference = trace
    gradient = trace_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number."""
        super().outputs()
        return ((),)

    def flop_count(self) -> int:
        """Return one addition per diagonal element."""
        return int(self.inputs["data"][0])

    def elements_read(self) -> dict[str, int]:
        """Return the diagonal elements."""
        return {"data": int(self.inputs["data"][0])}


def tensor_inverse(data: Array, *, ind: int) -> Array:
    """Return the inverse with respect to contraction of the first axes with the last."""
    return np.linalg.tensorinv(data, ind)


def tensor_inverse_gradient(cotangents: Sequence[Array], data: Array, *, ind: int) -> tuple[Array]:
    """Differentiate the inverse of the tensor read as a matrix."""
    rows = prod(data.shape[:ind])
    inverse = np.linalg.inv(data.reshape(rows, -1))
    return ((-inverse.T @ cotangents[0].reshape(-1, rows) @ inverse.T).reshape(data.shape),)


def tensor_solution(data: Array, rhs: Array) -> Array:
    """Return x of tensordot(A, x) = rhs."""
    return np.linalg.tensorsolve(data, rhs)


def tensor_solution_gradient(
    cotangents: Sequence[Array], data: Array, rhs: Array
) -> tuple[Array, Array]:
    """Differentiate the linear system of the tensor read as a matrix."""
    matrix = data.reshape(rhs.size, -1)
    by_rhs = np.linalg.solve(matrix.T, cotangents[0].ravel())
    by_data = -np.outer(by_rhs, tensor_solution(data, rhs).ravel())
    return by_data.reshape(data.shape), by_rhs.reshape(rhs.shape)


def identity_tensor(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a matrix near the identity, reshaped to a tensor."""
    order = isqrt(prod(shape))
    return near_identity(random, (order, order), low, high).reshape(shape)


class TensorInv(Declaration):
    """numpy.linalg.tensorinv: the inverse with respect to tensor contraction."""

    tensors = {"data": Tensor(initializer=identity_tensor)}
    attributes = {"ind": 2}
    sizes = {size: {"data": (*side, prod(side))} for size, side in SIDES.items()}
    dtypes = LAPACK
    reference = tensor_inverse
    gradient = tensor_inverse_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with the first axes last."""
        shape, ind = self.inputs["data"], self.inputs["ind"]
        self.require(1 <= ind < len(shape), "ind", f"must lie in [1, {len(shape) - 1}]")
        square = prod(shape[:ind]) == prod(shape[ind:])
        self.require(square, "data", f"must be square: its first {ind} axes against the others")
        return ((*shape[ind:], *shape[:ind]),)

    def flop_count(self) -> int:
        """Return 2 n^3, of which 2/3 n^3 for LU (LAPACK Working Note 41, appendix C)."""
        return 2 * prod(self.inputs["data"][: self.inputs["ind"]]) ** 3


class TensorSolve(Declaration):
    """x of tensordot(A, x) = rhs, with a vector x and a matrix rhs."""

    tensors = {"data": Tensor(initializer=identity_tensor), "rhs": Tensor()}
    sizes = {size: {"data": (*side, prod(side)), "rhs": side} for size, side in SIDES.items()}
    dtypes = LAPACK
    reference = tensor_solution
    gradient = tensor_solution_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of x."""
        shape, rhs = self.inputs["data"], self.inputs["rhs"]
        self.require(shape[: len(rhs)] == rhs, "rhs", "must be the first axes of data")
        self.require(len(shape) > len(rhs), "data", "must have more dimensions than rhs")
        unknown = shape[len(rhs) :]
        self.require(prod(unknown) == prod(rhs), "data", "must be square against rhs")
        return (unknown,)

    def flop_count(self) -> int:
        """Return 2/3 n^3 for LU and 2 n^2 (Golub and Van Loan 2013, section 3.2)."""
        order = prod(self.inputs["rhs"])
        return 2 * order**3 // 3 + 2 * order**2
