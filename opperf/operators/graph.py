"""Graph neural networks: reductions over the neighbors of each node.

Typical are Cora's 2708 papers with 4 citations each on average, 16 features, as in Kipf and Welling
(2017). All nodes have the same number of neighbors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def equal_lengths(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Fill with the one segment length."""
    del random, low
    return np.full(shape, int(high))


class SegmentReduction(Declaration, abstract=True):
    """A reduction over each segment of rows."""

    tensors = {
        "data": Tensor(),
        "lengths": Tensor(dtype="int64", differentiable=False, low=0, initializer=equal_lengths),
    }
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": (nodes * each, features), "lengths": (nodes,)}
        for size, (nodes, each, features) in {
            "small": (16, 4, 8),
            "typical": (2708, 4, 16),
            "large": (100000, 8, 64),
            "skewed": (3, 1009, 2),
        }.items()
    }
    dtypes = ("float64", "float32")

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors, with all segments of one length."""
        each = self.inputs["data"][0] // self.inputs["lengths"][0]
        lengths = Tensor(
            dtype="int64", differentiable=False, low=0, high=each, initializer=equal_lengths
        )
        return {**self.tensors, "lengths": lengths}

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row for each segment."""
        self.require_rank("data", 2)
        self.require_rank("lengths", 1)
        (rows, features), (nodes,) = self.inputs["data"], self.inputs["lengths"]
        self.require(rows % nodes == 0, "data", f"must have a multiple of {nodes} rows")
        return ((nodes, features),)

    def flop_count(self) -> int:
        """Return 1 FLOP an element."""
        rows, features = self.inputs["data"]
        return int(rows) * int(features)


def segment_sum(data: Array, lengths: Array) -> Array:
    """Return the sum of each segment's rows."""
    return data.reshape(len(lengths), -1, data.shape[1]).sum(axis=1)


def segment_sum_gradient(cotangents: Sequence[Array], data: Array, lengths: Array) -> tuple[Array]:
    """Return each segment's cotangent for all of its rows."""
    return (cotangents[0].repeat(len(data) // len(lengths), 0),)


class SegmentSum(SegmentReduction):
    """Sum of the rows of each segment."""

    reference = segment_sum
    gradient = segment_sum_gradient
    tolerance = CANCELING_SUMS


def segment_max(data: Array, lengths: Array) -> Array:
    """Return the maximum of each segment's rows, column by column."""
    return data.reshape(len(lengths), -1, data.shape[1]).max(axis=1)


def segment_max_gradient(cotangents: Sequence[Array], data: Array, lengths: Array) -> tuple[Array]:
    """Return the gradient by data: the largest row of each column gets it."""
    parts = data.reshape(len(lengths), -1, data.shape[1])
    result = np.zeros_like(parts)
    np.put_along_axis(result, parts.argmax(axis=1)[:, None], cotangents[0][:, None], 1)
    return (result.reshape(data.shape),)


class SegmentMax(SegmentReduction):
    """Maximum of the rows of each segment, column by column."""

    reference = segment_max
    gradient = segment_max_gradient
