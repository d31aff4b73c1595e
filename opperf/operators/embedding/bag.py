"""Embedding bags: the rows of each bag of indices are looked up and reduced in one call.

Typical is a table of Criteo's features in DLRM (Naumov et al. 2019), 128 wide, with 32 lookups of
2048 samples; skewed has long bags of narrow rows.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.indexing.indexing import INDEX, index_below

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


class EmbeddingBag(Declaration, abstract=True):
    """A reduction of the rows of each bag."""

    tensors = {"data": INDEX, "weight": Tensor()}
    sizes = {
        "small": {"data": (16, 8), "weight": (128, 16)},
        "typical": {"data": (2048, 32), "weight": (100000, 128)},
        "large": {"data": (8192, 64), "weight": (1000000, 64)},
        "skewed": {"data": (5, 1009), "weight": (10007, 3)},
    }
    dtypes = ("float64", "float32")

    part_read = {"weight": "the rows looked up"}
    gradient_tolerance = CANCELING_SUMS.because("rows that are looked up repeatedly add up")

    def domains(self) -> Mapping[str, Tensor]:
        """Return indices within the table."""
        return {**self.tensors, "data": index_below(self.inputs["weight"][0])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row for each bag."""
        self.require_rank("data", 2)
        self.require_rank("weight", 2)
        return ((self.inputs["data"][0], self.inputs["weight"][1]),)

    def flop_count(self) -> int:
        """Return 1 FLOP an element looked up."""
        return prod(self.inputs["data"]) * int(self.inputs["weight"][1])

    def elements_read(self) -> dict[str, int]:
        """Return the indices, and a row for each of them unless the table has fewer."""
        looked_up, (rows, width) = prod(self.inputs["data"]), self.inputs["weight"]
        return {"data": looked_up, "weight": min(looked_up, rows) * width}


def bag_sum(data: Array, weight: Array) -> Array:
    """Return the sum over each bag of weight[data]."""
    return weight[data].sum(axis=1)


def bag_sum_gradient(cotangents: Sequence[Array], data: Array, weight: Array) -> tuple[Array]:
    """Return the gradient by weight: each row of a bag gets its cotangent."""
    result = np.zeros_like(weight)
    np.add.at(result, data, cotangents[0][:, None])
    return (result,)


class EmbeddingBagSum(EmbeddingBag):
    """Sum over each bag of weight[data]."""

    reference = bag_sum
    gradient = bag_sum_gradient
    tolerance = CANCELING_SUMS


def bag_weighted_sum(data: Array, weight: Array, scales: Array) -> Array:
    """Return the sum over each bag of scales * weight[data]."""
    return (weight[data] * scales[..., None]).sum(axis=1)


def bag_weighted_sum_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, scales: Array
) -> tuple[Array, Array]:
    """Return the gradients: scaled cotangents by weight, products with the rows by scales."""
    of_bag = cotangents[0][:, None]
    by_weight = np.zeros_like(weight)
    np.add.at(by_weight, data, of_bag * scales[..., None])
    return by_weight, (weight[data] * of_bag).sum(axis=-1)


class EmbeddingBagWeightedSum(EmbeddingBag):
    """Sum over each bag of scales * weight[data], a scale for each index."""

    tensors = {"data": INDEX, "weight": Tensor(), "scales": Tensor()}
    sizes = {
        size: {**shapes, "scales": shapes["data"]} for size, shapes in EmbeddingBag.sizes.items()
    }
    reference = bag_weighted_sum
    gradient = bag_weighted_sum_gradient
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row for each bag."""
        found = super().outputs()
        shape = self.inputs["data"]
        self.require(self.inputs["scales"] == shape, "scales", f"must be {shape}, one an index")
        return found

    def flop_count(self) -> int:
        """Return 2 FLOP an element looked up."""
        return 2 * super().flop_count()

    def elements_read(self) -> dict[str, int]:
        """Return indices and scales, and a row for each of them unless the table has fewer."""
        return {**super().elements_read(), "scales": prod(self.inputs["data"])}


def bag_mean(data: Array, weight: Array) -> Any:
    """Return the mean over each bag of weight[data]."""
    return weight[data].mean(axis=1)


def bag_mean_gradient(cotangents: Sequence[Array], data: Array, weight: Array) -> tuple[Array]:
    """Return the gradient by weight: each row of a bag gets an equal share."""
    return bag_sum_gradient([cotangents[0] / data.shape[1]], data, weight)


class EmbeddingBagMean(EmbeddingBag):
    """Mean over each bag of weight[data]."""

    reference = bag_mean
    gradient = bag_mean_gradient
    tolerance = CANCELING_SUMS


def bag_max(data: Array, weight: Array) -> Array:
    """Return the maximum over each bag of weight[data], column by column."""
    return weight[data].max(axis=1)


def bag_max_gradient(cotangents: Sequence[Array], data: Array, weight: Array) -> tuple[Array]:
    """Return the gradient by weight: the largest row of each column gets it."""
    result = np.zeros_like(weight)
    chosen = np.take_along_axis(data, weight[data].argmax(axis=1), 1)
    np.add.at(result, (chosen, np.arange(weight.shape[1])), cotangents[0])
    return (result,)


class EmbeddingBagMax(EmbeddingBag):
    """Maximum over each bag of weight[data], column by column."""

    reference = bag_max
    gradient = bag_max_gradient
