"""Matrix products."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


def dot_gradient(seeds: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Multiply by the other matrix, transposed."""
    return seeds[0] @ rhs.T, lhs.T @ seeds[0]


class Dot(Operator):
    """The product of two matrices.

    Typical is a projection of BERT-base (512 tokens of 768 features); skewed has an inner dimension
    too short to hide the memory behind.
    """

    category = "gemm"
    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {
        "small": {"lhs": (64, 64), "rhs": (64, 64)},
        "typical": {"lhs": (512, 768), "rhs": (768, 768)},
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (10000, 10), "rhs": (10, 100)},
    }
    reference = staticmethod(np.matmul)
    gradient = staticmethod(dot_gradient)
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows by columns."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, inner), (found, columns) = self.inputs["lhs"], self.inputs["rhs"]
        self.require(inner == found, "rhs", f"must have {inner} rows, the columns of lhs")
        return ((rows, columns),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition an element of the product and inner index."""
        rows, inner = self.inputs["lhs"]
        return 2 * int(rows) * int(inner) * int(self.inputs["rhs"][1])
