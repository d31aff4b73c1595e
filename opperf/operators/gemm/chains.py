"""Products of three tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def bilinear(lhs: Array, rhs: Array, weight: Array, bias: Array) -> Array:
    """Return lhs @ weight[o] @ rhs^T + bias[o] of each pair of rows, for each unit o."""
    return np.einsum("bi,oij,bj->bo", lhs, weight, rhs, optimize=True) + bias


def bilinear_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, weight: Array, bias: Array
) -> tuple[Array, ...]:
    """Return the gradients by lhs, rhs, weight and bias."""
    del bias
    cotangent = cotangents[0]
    by_lhs = np.einsum("bo,oij,bj->bi", cotangent, weight, rhs, optimize=True)
    by_rhs = np.einsum("bo,oij,bi->bj", cotangent, weight, lhs, optimize=True)
    return (
        by_lhs,
        by_rhs,
        np.einsum("bo,bi,bj->oij", cotangent, lhs, rhs, optimize=True),
        cotangent.sum(0),
    )


class Bilinear(Declaration):
    """Bilinear layer: lhs @ weight[o] @ rhs^T + bias[o] (Socher et al. 2013)."""

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
    reference = bilinear
    gradient = bilinear_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, units)."""
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
        """Return the FLOP of the products with lhs and then with rhs."""
        (rows, left), right = self.inputs["lhs"], self.inputs["rhs"][1]
        return 2 * int(rows) * int(self.inputs["bias"][0]) * int(left + 1) * int(right)


def multi_dot(first: Array, second: Array, third: Array) -> Array:
    """Return first @ second @ third."""
    return np.linalg.multi_dot((first, second, third))


def multi_dot_gradient(
    cotangents: Sequence[Array], first: Array, second: Array, third: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by the three matrices."""
    cotangent = cotangents[0]
    by_second = first.T @ cotangent @ third.T
    return cotangent @ third.T @ second.T, by_second, second.T @ first.T @ cotangent


class MultiDot(Declaration):
    """first @ second @ third, in the cheaper order.

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
    reference = multi_dot
    gradient = multi_dot_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the first's rows by the last's columns."""
        for name in self.tensors:
            self.require_rank(name, 2)
        first, second, third = (self.inputs[name] for name in self.tensors)
        self.require(second[0] == first[1], "second", f"must have {first[1]} rows")
        self.require(third[0] == second[1], "third", f"must have {second[1]} rows")
        return ((first[0], third[1]),)

    def flop_count(self) -> int:
        """Return the FLOP of the cheaper order."""
        (a, b), (_, c), (_, d) = (map(int, self.inputs[name]) for name in self.tensors)
        return 2 * min(a * b * c + a * c * d, b * c * d + a * b * d)
