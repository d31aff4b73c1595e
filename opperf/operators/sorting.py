"""Sorting and searching."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


def topk(data: Array, *, k: int) -> tuple[Array, Array]:
    """Return the k largest of each row, largest first, and where they were."""
    order = np.argsort(-data, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(data, order, axis=-1), order


def topk_gradient(seeds: Sequence[Array], data: Array, *, k: int) -> tuple[Array]:
    """Put each gradient where its value came from."""
    gradient = np.zeros_like(data)
    np.put_along_axis(gradient, topk(data, k=k)[1], seeds[0], axis=-1)
    return (gradient,)


class TopK(Operator):
    """The k largest elements of each row, in order, with their positions.

    Skewed is sampling from GPT-2: the best 50 of 50257 logits, for 8 tokens.
    """

    category = "sorting"
    tensors = {"data": Tensor()}
    attributes = {"k": 10}
    sizes = {
        "small": {"data": (32, 128)},
        "typical": {"data": (512, 1024)},
        "large": {"data": (4096, 4096)},
        "skewed": {"data": (8, 50257), "k": 50},
    }
    reference = staticmethod(topk)
    gradient = staticmethod(topk_gradient)

    def outputs(self) -> tuple[Shape, ...]:
        """Return k values and k positions a row."""
        shape, k = self.inputs["data"], self.inputs["k"]
        self.require(len(shape) >= 1, "data", "must have at least 1 dimension")
        self.require(1 <= k <= shape[-1], "k", f"must lie in [1, {shape[-1]}], the last axis")
        return ((*shape[:-1], k),) * 2

    def flop_count(self) -> int:
        """Return none: comparisons are no floating-point operations."""
        return 0
