"""Matrix products that are scaled, added to something, or of matrices of a special form.

Factors are sums of few powers of two: MXNet holds its attributes in float32.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator
from opperf.operators.absence import NO_MXNET_GRADIENT, ONLY_PYTORCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

CATEGORY = "gemm"
FACTORS = {"alpha": 0.5, "beta": 2.0}
LAPACK = ("float64", "float32")
"""What MXNet's linear algebra computes in."""
THREE = {"lhs": Tensor(), "rhs": Tensor(), "bias": Tensor()}


def gemm(lhs: Array, rhs: Array, bias: Array, *, alpha: float, beta: float) -> Array:
    """Return alpha times the product, plus beta times the bias."""
    return alpha * (lhs @ rhs) + beta * bias


def gemm_gradient(
    seeds: Sequence[Array], lhs: Array, rhs: Array, bias: Array, *, alpha: float, beta: float
) -> tuple[Array, Array, Array]:
    """Multiply by the others, transposed."""
    del bias
    seed = seeds[0]
    by_left, by_right = seed @ rhs.swapaxes(-1, -2), lhs.swapaxes(-1, -2) @ seed
    return alpha * by_left, alpha * by_right, beta * seed


def product(rows: int, inner: int, columns: int, *batch: int) -> dict[str, Shape]:
    """Return the shapes of two factors and of what is added to their product."""
    return {
        "lhs": (*batch, rows, inner),
        "rhs": (*batch, inner, columns),
        "bias": (*batch, rows, columns),
    }


class Gemm(Operator):
    """A scaled product of two matrices plus a scaled third: BLAS's gemm.

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
    reference = staticmethod(gemm)
    gradient = staticmethod(gemm_gradient)
    backward_work = 2
    rank = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by columns, for each pair."""
        for name in ("lhs", "rhs", "bias"):
            self.require_rank(name, self.rank)
        *batch, rows, inner = self.inputs["lhs"]
        columns = self.inputs["rhs"][-1]
        for name, expected in product(rows, inner, columns, *batch).items():
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        return ((*batch, rows, columns),)

    def flop_count(self) -> int:
        """Return the operations of the product, which outweigh the sum."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][-1])


class BatchGemm(Gemm):
    """The same for each of a batch of matrices.

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
    """Return alpha times the product with the transpose."""
    return alpha * (lhs @ rhs.swapaxes(-1, -2))


def gemm2_gradient(
    seeds: Sequence[Array], lhs: Array, rhs: Array, *, alpha: float
) -> tuple[Array, Array]:
    """Multiply by the others."""
    return alpha * (seeds[0] @ rhs), alpha * (seeds[0].swapaxes(-1, -2) @ lhs)


class Gemm2(Operator):
    """A scaled product of a batch of matrices with the transposes of another.

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
    reference = staticmethod(gemm2)
    gradient = staticmethod(gemm2_gradient)
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by rows of both."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        (batch, rows, inner), (_, columns, _) = self.inputs["lhs"], self.inputs["rhs"]
        expected = (batch, columns, inner)
        self.require(self.inputs["rhs"] == expected, "rhs", f"must be {expected}")
        return ((batch, rows, columns),)

    def flop_count(self) -> int:
        """Return the operations of the product, which outweigh the scaling."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][1])


def syrk(data: Array, *, alpha: float) -> Array:
    """Return alpha times the product with its own transpose."""
    return alpha * (data @ data.T)


def syrk_gradient(seeds: Sequence[Array], data: Array, *, alpha: float) -> tuple[Array]:
    """Differentiate by both factors."""
    return (alpha * ((seeds[0] + seeds[0].T) @ data),)


class Syrk(Operator):
    """A matrix times its own transpose: a covariance, as in style transfer's Gram matrices."""

    tensors = {"data": Tensor()}
    attributes = {"alpha": 0.5}
    sizes = {
        "small": {"data": (32, 64)},
        "typical": {"data": (512, 784)},
        "large": {"data": (2048, 2048)},
        "skewed": {"data": (1009, 3)},
    }
    reference = staticmethod(syrk)
    gradient = staticmethod(syrk_gradient)
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by rows."""
        self.require_rank("data", 2)
        rows, _ = self.inputs["data"]
        return ((rows, rows),)

    def flop_count(self) -> int:
        """Return the operations of the whole product; symmetry could save half."""
        rows, columns = self.inputs["data"]
        return 2 * int(rows) ** 2 * int(columns)


def trmm(lhs: Array, rhs: Array, *, alpha: float) -> Array:
    """Return alpha times the product with a lower triangle."""
    return alpha * (np.tril(lhs) @ rhs)


def trmm_gradient(
    seeds: Sequence[Array], lhs: Array, rhs: Array, *, alpha: float
) -> tuple[Array, Array]:
    """Multiply by the others; the upper triangle is not read."""
    return alpha * np.tril(seeds[0] @ rhs.T), alpha * (np.tril(lhs).T @ seeds[0])


class Trmm(Operator):
    """The lower triangle of a square matrix times another matrix."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"alpha": 0.5}
    sizes = {
        "small": {"lhs": (32, 32), "rhs": (32, 16)},
        "typical": {"lhs": (512, 512), "rhs": (512, 512)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (3, 3), "rhs": (3, 1009)},
    }
    reference = staticmethod(trmm)
    gradient = staticmethod(trmm_gradient)
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the other matrix."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        rows, columns = self.inputs["lhs"]
        self.require(rows == columns, "lhs", "must be square")
        self.require(self.inputs["rhs"][0] == rows, "rhs", f"must have {rows} rows")
        return (self.inputs["rhs"],)

    def flop_count(self) -> int:
        """Return the operations of the whole product; the triangle could save half."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][1])


def khatri_rao(lhs: Array, rhs: Array) -> Array:
    """Return the Kronecker product of each pair of columns (Khatri and Rao 1968)."""
    return np.einsum("ik,jk->ijk", lhs, rhs).reshape(-1, lhs.shape[1])


class KhatriRao(Operator):
    """The column-wise Kronecker product of two matrices, as in a tensor's CP decomposition."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {
        "small": {"lhs": (8, 16), "rhs": (8, 16)},
        "typical": {"lhs": (128, 64), "rhs": (128, 64)},
        "large": {"lhs": (512, 64), "rhs": (512, 64)},
        "skewed": {"lhs": (101, 3), "rhs": (7, 3)},
    }
    reference = staticmethod(khatri_rao)
    dtypes = LAPACK
    limitations = (NO_MXNET_GRADIENT,)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the product of the rows, and the columns."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, columns), (more, found) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == columns, "rhs", f"must have {columns} columns, as lhs has")
        return ((rows * more, columns),)

    def flop_count(self) -> int:
        """Return a multiplication an element."""
        return prod(self.outputs()[0])


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
