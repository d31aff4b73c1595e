"""Matrix products with one factor transposed, without a copy of it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


class TransposedDot(Declaration, abstract=True):
    """A product of two matrices, one of them transposed."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    dtypes = (*FLOATS, "int64", "int32")
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return 2 FLOP an element of lhs and column."""
        return 2 * prod(self.inputs["lhs"]) * int(self.outputs()[0][1])


def multiply_left_transposed(lhs: Array, rhs: Array) -> Array:
    """Return lhs^T @ rhs."""
    result: Array = lhs.T @ rhs
    return result


def multiply_left_transposed_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array
) -> tuple[Array, Array]:
    """Return rhs @ cotangent^T and lhs @ cotangent."""
    return rhs @ cotangents[0].T, lhs @ cotangents[0]


class DotLeftTransposed(TransposedDot):
    """lhs^T @ rhs, as in a weight's gradient.

    Typical is that of BERT-base's projection, for 512 tokens; skewed adds up 10000 rows.
    """

    sizes = {
        "small": {"lhs": (64, 64), "rhs": (64, 64)},
        "typical": {"lhs": (512, 768), "rhs": (512, 768)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (10000, 10), "rhs": (10000, 7)},
    }
    reference = multiply_left_transposed
    gradient = multiply_left_transposed_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the columns of both."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (inner, rows), (found, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(inner == found, "rhs", f"must have {inner} rows, as lhs has")
        return ((rows, columns),)


def multiply_right_transposed(lhs: Array, rhs: Array) -> Array:
    """Return lhs @ rhs^T."""
    result: Array = lhs @ rhs.T
    return result


def multiply_right_transposed_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array
) -> tuple[Array, Array]:
    """Return cotangent @ rhs and cotangent^T @ lhs."""
    return cotangents[0] @ rhs, cotangents[0].T @ lhs


class DotRightTransposed(TransposedDot):
    """lhs @ rhs^T, as in a dense layer.

    Typical is a projection of BERT-base, for 512 tokens; skewed has an inner dimension too short to
    be compute-bound.
    """

    sizes = {
        "small": {"lhs": (64, 64), "rhs": (64, 64)},
        "typical": {"lhs": (512, 768), "rhs": (768, 768)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (10000, 10), "rhs": (100, 10)},
    }
    reference = multiply_right_transposed
    gradient = multiply_right_transposed_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the rows of both."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, inner), (columns, found) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(inner == found, "rhs", f"must have {inner} columns, as lhs has")
        return ((rows, columns),)
