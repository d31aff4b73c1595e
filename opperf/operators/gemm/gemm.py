"""Matrix products and dense layers; without int8, whose sums do not fit."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def dot_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return cotangent @ rhs^T and lhs^T @ cotangent."""
    return cotangents[0] @ rhs.T, lhs.T @ cotangents[0]


class Dot(Declaration):
    """lhs @ rhs.

    Typical is a projection of BERT-base (512 tokens of 768 features); skewed has an inner dimension
    too short to be compute-bound.
    """

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {
        "small": {"lhs": (64, 64), "rhs": (64, 64)},
        "typical": {"lhs": (512, 768), "rhs": (768, 768)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (10000, 10), "rhs": (10, 100)},
    }
    reference = np.matmul
    gradient = dot_gradient
    dtypes = (*FLOATS, "int64", "int32")
    backward_work = 2
    tags = ("core",)
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns)."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, inner), (found, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(inner == found, "rhs", f"must have {inner} rows, the columns of lhs")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return 2 FLOP an output element and inner index."""
        rows, inner = self.inputs["lhs"]
        return 2 * int(rows) * int(inner) * int(self.inputs["rhs"][1])


def batch_dot_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return cotangent @ rhs^T and lhs^T @ cotangent of each pair of matrices."""
    return cotangents[0] @ rhs.swapaxes(1, 2), lhs.swapaxes(1, 2) @ cotangents[0]


class BatchDot(Declaration):
    """lhs @ rhs of each pair of matrices.

    Typical is the attention scores of BERT-base: 12 heads of 384 queries and keys of 64 features.
    """

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {
        "small": {"lhs": (4, 32, 32), "rhs": (4, 32, 32)},
        "typical": {"lhs": (12, 384, 64), "rhs": (12, 64, 384)},
        "large": {"lhs": (96, 384, 64), "rhs": (96, 64, 384)},
        "skewed": {"lhs": (1001, 3, 7), "rhs": (1001, 7, 1)},
    }
    reference = np.matmul
    gradient = batch_dot_gradient
    dtypes = (*FLOATS, "int64", "int32")
    backward_work = 2
    tags = ("core",)
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, rows, columns)."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        (batch, rows, inner), (found, height, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == batch, "rhs", f"must have {batch} matrices, as lhs has")
        self.require(height == inner, "rhs", f"must have {inner} rows, the columns of lhs")
        return ((batch, rows, columns),)

    def flop_count(self) -> int:
        """Return 2 FLOP an output element and inner index."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][2])


def dense(data: Array, weight: Array, bias: Array) -> Array:
    """Return data @ weight^T + bias."""
    return data @ weight.T + bias


def dense_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, weight and bias."""
    del bias  # its gradient does not depend on it
    cotangent = cotangents[0]
    return cotangent @ weight, cotangent.T @ data, cotangent.sum(axis=0)


class Dense(Declaration):
    """Fully connected layer: data @ weight^T + bias.

    Shapes are data (rows, features), weight (units, features), bias (units). Typical is the first
    layer of BERT-base's feed-forward part, for 128 tokens; skewed a single row and a classifier of
    ImageNet.
    """

    tensors = {"data": Tensor(), "weight": Tensor(), "bias": Tensor()}
    sizes = {
        "small": {"data": (16, 64), "weight": (64, 64), "bias": (64,)},
        "typical": {"data": (128, 768), "weight": (3072, 768), "bias": (3072,)},
        "large": {"data": (2048, 1024), "weight": (4096, 1024), "bias": (4096,)},
        "skewed": {"data": (1, 2048), "weight": (1000, 2048), "bias": (1000,)},
    }
    reference = dense
    gradient = dense_gradient
    dtypes: ClassVar[tuple[str, ...]] = (*FLOATS, "int64", "int32")
    backward_work = 2
    tags: ClassVar[tuple[str, ...]] = ("core",)
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, units)."""
        self.require_rank("data", 2)
        self.require_rank("weight", 2)
        (rows, features), (units, found) = self.inputs["data"], self.inputs["weight"]
        self.require(found == features, "weight", f"must have {features} columns, as data has")
        self.require(self.inputs["bias"] == (units,), "bias", f"must be ({units},)")
        return ((rows, units),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element of weight and row."""
        return 2 * prod(self.inputs["weight"]) * int(self.inputs["data"][0])
