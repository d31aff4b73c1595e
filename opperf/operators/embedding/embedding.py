"""Embedding lookups and one-hot encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, Tensor, round_to
from opperf.declaring.declaration import Declaration
from opperf.operators.indexing.indexing import INDEX, index_below

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def embedding(data: Array, weight: Array) -> Array:
    """Return weight[data]."""
    result: Array = weight[data]
    return result


def embedding_gradient(cotangents: Sequence[Array], data: Array, weight: Array) -> tuple[Array]:
    """Return the gradient by weight: the cotangents of a row are summed."""
    gradient = np.zeros_like(weight)
    np.add.at(gradient, data, cotangents[0])
    return (gradient,)


class Embedding(Declaration):
    """weight[data]: a row of the table for each index.

    The gradient is dense, as large as the table. Typical is the medium language model of Zaremba et
    al. (2014) on the Penn Treebank: 10000 words of 650 features, 20 sequences of 35. Large is
    BERT-base's vocabulary for 8 sequences of 512. Skewed is a feature of a recommender: a long
    table of short rows.
    """

    tensors = {"data": INDEX, "weight": Tensor()}
    sizes = {
        "small": {"data": (4, 16), "weight": (128, 32)},
        "typical": {"data": (20, 35), "weight": (10000, 650)},
        "large": {"data": (8, 512), "weight": (30522, 768)},
        "skewed": {"data": (2049,), "weight": (100003, 7)},
    }
    part_read = {"weight": "the rows looked up"}
    reference = embedding
    gradient = embedding_gradient
    tags = ("core",)
    gradient_tolerance = CANCELING_SUMS.because("rows that are looked up repeatedly add up")
    flops_per_element = 0  # rows are moved only

    def domains(self) -> Mapping[str, Tensor]:
        """Return indices within the table."""
        return {**self.tensors, "data": index_below(self.inputs["weight"][0])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row for each index."""
        self.require_rank("weight", 2)
        return ((*self.inputs["data"], self.inputs["weight"][1]),)


def one_hot(indices: Array, *, depth: int, to: str) -> Array:
    """Return vectors with a one at each index, zeros elsewhere."""
    return round_to(np.arange(depth) == indices[..., None], to)


class OneHot(Declaration):
    """One-hot vectors of the indices, in the operator's dtype.

    Typical is the labels of 1024 images of ImageNet's 1000 classes. Skewed has few classes.
    """

    tensors = {"indices": INDEX}
    attributes = {"depth": 1000}
    sizes = {
        "small": {"indices": (64,), "depth": 64},
        "typical": {"indices": (1024,), "depth": 1000},
        "large": {"indices": (8, 512), "depth": 4096},
        "skewed": {"indices": (100003,), "depth": 3},
    }
    reference = one_hot
    dtypes = DTYPES
    differentiable = False
    flops_per_element = 0  # nothing is computed

    @property
    def keywords(self) -> dict[str, Any]:
        """The arguments that are not tensors, and the dtype, which no tensor has."""
        return {**super().keywords, "to": self.dtype}

    def domains(self) -> Mapping[str, Tensor]:
        """Return indices of the classes."""
        return {"indices": index_below(self.inputs["depth"])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return a vector for each index."""
        self.require(self.inputs["depth"] >= 1, "depth", "must be at least 1")
        return ((*self.inputs["indices"], self.inputs["depth"]),)
