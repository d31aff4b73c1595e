"""Samples of categorical distributions."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.correctness import Comparison
from opperf.core.tensors.tensor import Tensor
from opperf.operators.random.random import RandomOperator, near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def categories(data: Array, *, count: int) -> Array:
    """Draw categories."""
    ends = np.cumsum(data, axis=1)
    spots = np.random.default_rng(0).random((len(data), count)) * ends[:, -1:]
    found: Array = (spots[..., None] > ends[:, None]).sum(axis=-1)
    return found


def shares(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw probabilities that add up to 1."""
    del low, high
    found = random.uniform(0.5, 1.5, shape)
    return found / found.sum(axis=-1, keepdims=True)


class Multinomial(RandomOperator):
    """Categories drawn with replacement by their probabilities, one row per distribution.

    Checked by how often each is drawn in all rows.
    """

    tensors = {"data": Tensor(low=0, high=1, initializer=shares)}
    attributes = {"count": 64}
    sizes = {
        "small": {"data": (64, 8)},
        "typical": {"data": (256, 1000)},
        "large": {"data": (256, 30522), "count": 16},
        "skewed": {"data": (10007, 3), "count": 5},
    }
    reference = categories
    dtypes = ("float64", "float32")

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row of categories per distribution."""
        self.require_rank("data", 2)
        self.require(self.inputs["count"] >= 1, "count", "must be at least 1")
        return ((self.inputs["data"][0], self.inputs["count"]),)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Compare the share of the lower half of the categories with its probability."""
        (data,) = arrays
        count = data.shape[1]
        if (values < 0).any() or (values >= count).any() or (values % 1).any():
            return Comparison(fault="output 0 holds values that are no category")
        lower = (values < count // 2).mean(axis=1)
        probability = data[:, : count // 2].sum(axis=1) / data.sum(axis=1)
        variance = (probability * (1 - probability)).sum() / values.shape[1]
        deviation = sqrt(float(variance)) / len(data)
        return near("share", float(lower.mean()), float(probability.mean()), deviation)
