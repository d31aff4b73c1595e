"""BLAS level 3: scaled products, symmetric and triangular ones.

alpha and beta are powers of two, which every float type holds exactly.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


FACTORS = {"alpha": 0.5, "beta": 2.0}

LAPACK = ("float64", "float32")
"""The types that LAPACK computes in."""

THREE = {"lhs": Tensor(), "rhs": Tensor(), "bias": Tensor()}


def gemm(lhs: Array, rhs: Array, bias: Array, *, alpha: float, beta: float) -> Array:
    """Return alpha * lhs @ rhs + beta * bias."""
    return alpha * (lhs @ rhs) + beta * bias


def gemm_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, bias: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by lhs, rhs and bias."""
    del bias
    cotangent = cotangents[0]
    by_left, by_right = cotangent @ rhs.swapaxes(-1, -2), lhs.swapaxes(-1, -2) @ cotangent
    return alpha * by_left, alpha * by_right, beta * cotangent


def product(rows: int, inner: int, columns: int, *batch: int) -> dict[str, Shape]:
    """Return the shapes of two factors and of the matrix that is added to their product."""
    return {
        "lhs": (*batch, rows, inner),
        "rhs": (*batch, inner, columns),
        "bias": (*batch, rows, columns),
    }


class Gemm(Declaration):
    """alpha * lhs @ rhs + beta * bias (BLAS gemm).

    Typical is a projection of BERT-base, for 512 tokens, that adds to the residual stream.
    """

    tensors = THREE
    attributes = FACTORS
    sizes = {
        "small": product(32, 64, 32),
        "typical": product(512, 768, 768),
        "large": product(2048, 2048, 2048),
        "skewed": product(10007, 7, 3),
    }
    reference = gemm
    gradient = gemm_gradient
    backward_work = 2
    rank = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns), after the batch if there is one."""
        for name in ("lhs", "rhs", "bias"):
            self.require_rank(name, self.rank)
        *batch, rows, inner = self.inputs["lhs"]
        columns = self.inputs["rhs"][-1]
        for name, expected in product(rows, inner, columns, *batch).items():
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        return ((*batch, rows, columns),)

    def flop_count(self) -> int:
        """Return the FLOP of the product, which outweigh the sum."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][-1])


class BatchGemm(Gemm):
    """alpha * lhs @ rhs + beta * bias of each matrix of a batch.

    Typical are the scores of BERT-base's 12 heads, 384 queries and keys, added to a mask.
    """

    sizes = {
        "small": product(16, 32, 16, 4),
        "typical": product(384, 64, 384, 12),
        "large": product(384, 64, 384, 96),
        "skewed": product(3, 7, 1, 1009),
    }
    rank = 3


def gemm2(lhs: Array, rhs: Array, *, alpha: float) -> Array:
    """Return alpha * lhs @ rhs^T."""
    return alpha * (lhs @ rhs.swapaxes(-1, -2))


def gemm2_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, *, alpha: float
) -> tuple[Array, Array]:
    """Return the gradients by lhs and rhs."""
    return alpha * (cotangents[0] @ rhs), alpha * (cotangents[0].swapaxes(-1, -2) @ lhs)


class Gemm2(Declaration):
    """alpha * lhs @ rhs^T of each pair of matrices.

    Typical are the scores of BERT-base's 12 heads, over the root of 64 features.
    """

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"alpha": 0.125}
    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (4, 16, 32),
            "typical": (12, 384, 64),
            "large": (96, 384, 64),
            "skewed": (1009, 3, 7),
        }.items()
    }
    reference = gemm2
    gradient = gemm2_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the rows of both, after the batch."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        (batch, rows, inner), (_, columns, _) = self.inputs["lhs"], self.inputs["rhs"]
        expected = (batch, columns, inner)
        self.require(self.inputs["rhs"] == expected, "rhs", f"must be {expected}")
        return ((batch, rows, columns),)

    def flop_count(self) -> int:
        """Return the FLOP of the product, which outweigh the scaling."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][1])


def syrk(data: Array, *, alpha: float) -> Array:
    """Return alpha * data @ data^T."""
    return alpha * (data @ data.T)


def syrk_gradient(cotangents: Sequence[Array], data: Array, *, alpha: float) -> tuple[Array]:
    """Return alpha * (cotangent + cotangent^T) @ data."""
    return (alpha * ((cotangents[0] + cotangents[0].T) @ data),)


class Syrk(Declaration):
    """alpha * data @ data^T (BLAS syrk), as in style transfer's Gram matrices."""

    tensors = {"data": Tensor()}
    attributes = {"alpha": 0.5}
    sizes = {
        "small": {"data": (32, 64)},
        "typical": {"data": (512, 784)},
        "large": {"data": (2048, 2048)},
        "skewed": {"data": (1009, 3)},
    }
    reference = syrk
    gradient = syrk_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, rows)."""
        self.require_rank("data", 2)
        rows, _ = self.inputs["data"]
        return ((rows, rows),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element of one triangle and inner index."""
        rows, columns = self.inputs["data"]
        return int(rows * (rows + 1) * columns)


def trmm(lhs: Array, rhs: Array, *, alpha: float) -> Array:
    """Return alpha * tril(lhs) @ rhs."""
    return alpha * (np.tril(lhs) @ rhs)


def trmm_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, *, alpha: float
) -> tuple[Array, Array]:
    """Return the gradients by lhs, zero above its diagonal, and by rhs."""
    return alpha * np.tril(cotangents[0] @ rhs.T), alpha * (np.tril(lhs).T @ cotangents[0])


class Trmm(Declaration):
    """alpha * tril(lhs) @ rhs (BLAS trmm)."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"alpha": 0.5}
    sizes = {
        "small": {"lhs": (32, 32), "rhs": (32, 16)},
        "typical": {"lhs": (512, 512), "rhs": (512, 512)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (3, 3), "rhs": (3, 1009)},
    }
    part_read = {"lhs": "the triangle"}
    reference = trmm
    gradient = trmm_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of rhs."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        rows, columns = self.inputs["lhs"]
        self.require(rows == columns, "lhs", "must be square")
        self.require(self.inputs["rhs"][0] == rows, "rhs", f"must have {rows} rows")
        return (self.inputs["rhs"],)

    def flop_count(self) -> int:
        """Return 2 FLOP an element of the triangle and column."""
        return 2 * self.elements_read()["lhs"] * int(self.inputs["rhs"][1])

    def elements_read(self) -> dict[str, int]:
        """Return the triangle, and rhs."""
        rows, _ = self.inputs["lhs"]
        return {"lhs": rows * (rows + 1) // 2, "rhs": prod(self.inputs["rhs"])}
