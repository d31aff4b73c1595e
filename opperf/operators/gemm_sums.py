"""Scaled sums with products, and products of more than two tensors."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator
from opperf.operators.absence import ONLY_PYTORCH
from opperf.operators.gemm_scaled import FACTORS, LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

CATEGORY = "gemm"


def addmv(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta times the bias, plus alpha times the product."""
    return beta * bias + alpha * (lhs @ rhs)


def addmv_gradient(
    seeds: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Return an outer product, and a product with the transpose."""
    del bias
    return beta * seeds[0], alpha * np.outer(seeds[0], rhs), alpha * (lhs.T @ seeds[0])


class AddMatVec(Operator):
    """A scaled vector plus a scaled product of a matrix and a vector: BLAS's gemv."""

    tensors = {"bias": Tensor(), "lhs": Tensor(), "rhs": Tensor()}
    attributes = FACTORS
    sizes = {
        size: {"bias": (rows,), "lhs": (rows, columns), "rhs": (columns,)}
        for size, (rows, columns) in {
            "small": (64, 64),
            "typical": (4096, 4096),
            "large": (14336, 4096),
            "skewed": (10007, 3),
        }.items()
    }
    reference = staticmethod(addmv)
    gradient = staticmethod(addmv_gradient)
    backward_work = 2
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return the matrix's rows."""
        self.require_rank("lhs", 2)
        rows, columns = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == (columns,), "rhs", f"must be ({columns},)")
        self.require(self.inputs["bias"] == (rows,), "bias", f"must be ({rows},)")
        return ((rows,),)

    def flop_count(self) -> int:
        """Return the operations of the product, which outweigh the sum."""
        return 2 * prod(self.inputs["lhs"])


def addr(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta times the bias, plus alpha times the outer product."""
    return beta * bias + alpha * np.outer(lhs, rhs)


def addr_gradient(
    seeds: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Multiply by the other vector."""
    del bias
    return beta * seeds[0], alpha * (seeds[0] @ rhs), alpha * (seeds[0].T @ lhs)


class AddOuter(Operator):
    """A scaled matrix plus a scaled outer product of two vectors: BLAS's ger."""

    tensors = {"bias": Tensor(), "lhs": Tensor(), "rhs": Tensor()}
    attributes = FACTORS
    sizes = {
        size: {"bias": (rows, columns), "lhs": (rows,), "rhs": (columns,)}
        for size, (rows, columns) in {
            "small": (64, 64),
            "typical": (1024, 1024),
            "large": (4096, 4096),
            "skewed": (10007, 3),
        }.items()
    }
    reference = staticmethod(addr)
    gradient = staticmethod(addr_gradient)
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return the matrix's shape."""
        self.require_rank("lhs", 1)
        self.require_rank("rhs", 1)
        expected = (*self.inputs["lhs"], *self.inputs["rhs"])
        self.require(self.inputs["bias"] == expected, "bias", f"must be {expected}")
        return (expected,)

    def flop_count(self) -> int:
        """Return four operations an element."""
        return 4 * prod(self.inputs["bias"])


def addbmm(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta times the bias, plus alpha times the sum of the products."""
    return beta * bias + alpha * (lhs @ rhs).sum(axis=0)


def addbmm_gradient(
    seeds: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Multiply by the others, transposed."""
    del bias
    by_left, by_right = seeds[0] @ rhs.swapaxes(1, 2), lhs.swapaxes(1, 2) @ seeds[0]
    return beta * seeds[0], alpha * by_left, alpha * by_right


class AddBatchDot(Operator):
    """A scaled matrix plus the scaled sum of the products of pairs of matrices."""

    tensors = {"bias": Tensor(), "lhs": Tensor(), "rhs": Tensor()}
    attributes = FACTORS
    sizes = {
        size: {"bias": (rows, columns), "lhs": (batch, rows, inner), "rhs": (batch, inner, columns)}
        for size, (batch, rows, inner, columns) in {
            "small": (4, 16, 16, 16),
            "typical": (12, 384, 64, 384),
            "large": (96, 384, 64, 384),
            "skewed": (101, 3, 1, 7),
        }.items()
    }
    reference = staticmethod(addbmm)
    gradient = staticmethod(addbmm_gradient)
    dtypes = LAPACK
    backward_work = 2
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by columns."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        (batch, rows, inner), columns = self.inputs["lhs"], self.inputs["rhs"][2]
        expected = {"rhs": (batch, inner, columns), "bias": (rows, columns)}
        for name, shape in expected.items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return the operations of the products, which outweigh the sums."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][2])


def bilinear(lhs: Array, rhs: Array, weight: Array, bias: Array) -> Array:
    """Return x W y of each pair of rows, for each unit, and the bias."""
    return np.einsum("bi,oij,bj->bo", lhs, weight, rhs, optimize=True) + bias


def bilinear_gradient(
    seeds: Sequence[Array], lhs: Array, rhs: Array, weight: Array, bias: Array
) -> tuple[Array, ...]:
    """Hand each of the four its factors."""
    del bias
    seed = seeds[0]
    by_lhs = np.einsum("bo,oij,bj->bi", seed, weight, rhs, optimize=True)
    by_rhs = np.einsum("bo,oij,bi->bj", seed, weight, lhs, optimize=True)
    return by_lhs, by_rhs, np.einsum("bo,bi,bj->oij", seed, lhs, rhs, optimize=True), seed.sum(0)


class Bilinear(Operator):
    """A layer of two inputs, as in neural tensor networks (Socher et al. 2013)."""

    tensors = {"lhs": Tensor(), "rhs": Tensor(), "weight": Tensor(), "bias": Tensor()}
    sizes = {
        size: {"lhs": (b, i), "rhs": (b, j), "weight": (o, i, j), "bias": (o,)}
        for size, (b, i, j, o) in {
            "small": (4, 8, 8, 4),
            "typical": (128, 100, 100, 64),
            "large": (512, 200, 200, 128),
            "skewed": (101, 3, 5, 1),
        }.items()
    }
    reference = staticmethod(bilinear)
    gradient = staticmethod(bilinear_gradient)
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by units."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, left), right = self.inputs["lhs"], self.inputs["rhs"][1]
        self.require_rank("bias", 1)
        (units,) = self.inputs["bias"]
        expected = {"rhs": (rows, right), "weight": (units, left, right)}
        for name, shape in expected.items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return ((rows, units),)

    def flop_count(self) -> int:
        """Return the operations of the products with the left and then the right rows."""
        (rows, left), right = self.inputs["lhs"], self.inputs["rhs"][1]
        return 2 * int(rows) * int(self.inputs["bias"][0]) * int(left + 1) * int(right)


def multi_dot(first: Array, second: Array, third: Array) -> Array:
    """Multiply three matrices."""
    return np.linalg.multi_dot((first, second, third))


def multi_dot_gradient(
    seeds: Sequence[Array], first: Array, second: Array, third: Array
) -> tuple[Array, Array, Array]:
    """Multiply by the others, transposed."""
    seed = seeds[0]
    by_second = first.T @ seed @ third.T
    return seed @ third.T @ second.T, by_second, second.T @ first.T @ seed


class MultiDot(Operator):
    """The product of three matrices, in the order that takes the fewest operations.

    Typical is a low-rank adapter (LoRA) of rank 8 on a projection of Llama 3 8B, for 512 tokens.
    """

    tensors = {"first": Tensor(), "second": Tensor(), "third": Tensor()}
    sizes = {
        size: {"first": (a, b), "second": (b, c), "third": (c, d)}
        for size, (a, b, c, d) in {
            "small": (16, 32, 4, 32),
            "typical": (512, 4096, 8, 4096),
            "large": (4096, 4096, 64, 4096),
            "skewed": (1009, 3, 1, 7),
        }.items()
    }
    reference = staticmethod(multi_dot)
    gradient = staticmethod(multi_dot_gradient)
    backward_work = 2
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return the first's rows by the last's columns."""
        for name in self.tensors:
            self.require_rank(name, 2)
        first, second, third = (self.inputs[name] for name in self.tensors)
        self.require(second[0] == first[1], "second", f"must have {first[1]} rows")
        self.require(third[0] == second[1], "third", f"must have {second[1]} rows")
        return ((first[0], third[1]),)

    def flop_count(self) -> int:
        """Return the operations of the cheaper order."""
        (a, b), (_, c), (_, d) = (map(int, self.inputs[name]) for name in self.tensors)
        return 2 * min(a * b * c + a * c * d, b * c * d + a * b * d)
