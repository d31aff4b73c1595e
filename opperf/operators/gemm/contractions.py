"""Tensor contractions, and matrix products with broadcasting.

Half precision cannot hold sums over a long inner dimension; skewed ones are short.
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


TWO = {"lhs": Tensor(), "rhs": Tensor()}


def inner_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both matrices."""
    return cotangents[0] @ rhs, cotangents[0].T @ lhs


class Inner(Declaration):
    """lhs @ rhs^T: the inner products of their rows.

    Typical compares 512 tokens of BERT-base with as many others.
    """

    tensors = TWO
    sizes = {
        "small": {"lhs": (32, 64), "rhs": (32, 64)},
        "typical": {"lhs": (512, 768), "rhs": (512, 768)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (1009, 3), "rhs": (7, 3)},
    }
    reference = np.inner
    gradient = inner_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the rows of both."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, inner), (columns, found) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(found == inner, "rhs", f"must have {inner} columns, as lhs has")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return 2 FLOP an output element and inner index."""
        return 2 * prod(self.outputs()[0]) * int(self.inputs["lhs"][1])


def tensordot(lhs: Array, rhs: Array) -> Array:
    """Return the sum over the last two axes of lhs and the first two of rhs."""
    return np.tensordot(lhs, rhs, 2)


def tensordot_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both tensors."""
    return np.tensordot(cotangents[0], rhs, ([1], [2])), np.tensordot(
        lhs, cotangents[0], ([0], [0])
    )


class TensorDot(Declaration):
    """Contraction of the last two axes of lhs with the first two of rhs.

    Typical is the projection that joins the 12 heads of BERT-base, for 512 tokens.
    """

    tensors = TWO
    sizes = {
        "small": {"lhs": (16, 4, 16), "rhs": (4, 16, 64)},
        "typical": {"lhs": (512, 12, 64), "rhs": (12, 64, 768)},
        "large": {"lhs": (4096, 16, 64), "rhs": (16, 64, 1024)},
        "skewed": {"lhs": (1009, 3, 1), "rhs": (3, 1, 7)},
    }
    reference = tensordot
    gradient = tensordot_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, columns)."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 3)
        inner = self.inputs["lhs"][1:]
        self.require(self.inputs["rhs"][:2] == inner, "rhs", f"must begin with {inner}")
        return ((self.inputs["lhs"][0], self.inputs["rhs"][2]),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element of lhs and column."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][2])


SCORES = "bqhd,bkhd->bhqk"


def scores(lhs: Array, rhs: Array) -> Array:
    """Return lhs @ rhs^T of each head."""
    return lhs.transpose(0, 2, 1, 3) @ rhs.transpose(0, 2, 3, 1)


def scores_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both tensors."""
    by_left = cotangents[0] @ rhs.transpose(0, 2, 1, 3)
    by_right = cotangents[0].swapaxes(2, 3) @ lhs.transpose(0, 2, 1, 3)
    return by_left.transpose(0, 2, 1, 3), by_right.transpose(0, 2, 1, 3)


class Einsum(Declaration):
    """einsum("bqhd,bkhd->bhqk"): attention scores of each head.

    Typical is BERT-base on a sequence of 128 tokens.
    """

    tensors = TWO
    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (1, 16, 2, 8),
            "typical": (1, 128, 12, 64),
            "large": (8, 384, 12, 64),
            "skewed": (3, 101, 1, 5),
        }.items()
    }
    reference = scores
    gradient = scores_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, heads, queries, keys)."""
        self.require_rank("lhs", 4)
        self.require_rank("rhs", 4)
        batch, queries, heads, features = self.inputs["lhs"]
        keys = self.inputs["rhs"][1]
        expected = (batch, keys, heads, features)
        self.require(self.inputs["rhs"] == expected, "rhs", f"must be {expected}")
        return ((batch, heads, queries, keys),)

    def flop_count(self) -> int:
        """Return 2 FLOP a score and feature."""
        return 2 * prod(self.outputs()[0]) * int(self.inputs["lhs"][3])


def matmul_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both; that of the shared rhs is summed over the batch."""
    return cotangents[0] @ rhs.T, np.einsum("bmk,bmn->kn", lhs, cotangents[0])


class MatMul(Declaration):
    """lhs @ rhs: a batch of matrices times one matrix.

    Typical is GPT-2's attention output projection for 2 sequences of 512 tokens.
    """

    tensors = TWO
    sizes = {
        "small": {"lhs": (2, 16, 32), "rhs": (32, 32)},
        "typical": {"lhs": (2, 512, 768), "rhs": (768, 768)},
        "large": {"lhs": (8, 1024, 1024), "rhs": (1024, 1024)},
        "skewed": {"lhs": (1009, 1, 7), "rhs": (7, 3)},
    }
    reference = np.matmul
    gradient = matmul_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, rows, columns)."""
        self.require_rank("lhs", 3)
        self.require_rank("rhs", 2)
        batch, rows, inner = self.inputs["lhs"]
        found, columns = self.inputs["rhs"]
        self.require(found == inner, "rhs", f"must have {inner} rows, the columns of lhs")
        return ((batch, rows, columns),)

    def flop_count(self) -> int:
        """Return 2 FLOP an element of lhs and column."""
        return 2 * prod(self.inputs["lhs"]) * int(self.inputs["rhs"][1])
