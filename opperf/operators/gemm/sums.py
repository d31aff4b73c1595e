"""Scaled sums with a product."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.gemm.scaled import FACTORS, LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def addmv(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta * bias + alpha * lhs @ rhs."""
    return beta * bias + alpha * (lhs @ rhs)


def addmv_gradient(
    cotangents: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by bias, lhs and rhs."""
    del bias
    return (
        beta * cotangents[0],
        alpha * np.outer(cotangents[0], rhs),
        alpha * (lhs.T @ cotangents[0]),
    )


class AddMatVec(Declaration):
    """beta * bias + alpha * lhs @ rhs, for a matrix lhs and a vector rhs (BLAS gemv)."""

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
    reference = addmv
    gradient = addmv_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows,)."""
        self.require_rank("lhs", 2)
        rows, columns = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == (columns,), "rhs", f"must be ({columns},)")
        self.require(self.inputs["bias"] == (rows,), "bias", f"must be ({rows},)")
        return ((rows,),)

    def flop_count(self) -> int:
        """Return the FLOP of the product, which outweigh the sum."""
        return 2 * prod(self.inputs["lhs"])


def addr(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta * bias + alpha * outer(lhs, rhs)."""
    return beta * bias + alpha * np.outer(lhs, rhs)


def addr_gradient(
    cotangents: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by bias, lhs and rhs."""
    del bias
    return beta * cotangents[0], alpha * (cotangents[0] @ rhs), alpha * (cotangents[0].T @ lhs)


class AddOuter(Declaration):
    """beta * bias + alpha * outer(lhs, rhs) (BLAS ger)."""

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
    reference = addr
    gradient = addr_gradient
    tolerance = CANCELING_TERMS
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 4

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of bias."""
        self.require_rank("lhs", 1)
        self.require_rank("rhs", 1)
        expected = (*self.inputs["lhs"], *self.inputs["rhs"])
        self.require(self.inputs["bias"] == expected, "bias", f"must be {expected}")
        return (expected,)


def addbmm(bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float) -> Array:
    """Return beta * bias + alpha * the sum over the batch of lhs @ rhs."""
    return beta * bias + alpha * (lhs @ rhs).sum(axis=0)


def addbmm_gradient(
    cotangents: Sequence[Array], bias: Array, lhs: Array, rhs: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by bias, lhs and rhs."""
    del bias
    by_left, by_right = cotangents[0] @ rhs.swapaxes(1, 2), lhs.swapaxes(1, 2) @ cotangents[0]
    return beta * cotangents[0], alpha * by_left, alpha * by_right


class AddBatchDot(Declaration):
    """beta * bias + alpha * the sum over the batch of lhs @ rhs."""

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
    reference = addbmm
    gradient = addbmm_gradient
    dtypes = LAPACK
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns)."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        (batch, rows, inner), columns = self.inputs["lhs"], self.inputs["rhs"][2]
        expected = {"rhs": (batch, inner, columns), "bias": (rows, columns)}
        for name, shape in expected.items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return the FLOP of the products, which outweigh the sums."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][2])
