"""Attention on interleaved projections, in two halves: scores, and weighted values.

Projections are (length, batch, heads * parts * features): the queries, keys and values of a head
lie side by side, as one matrix product makes them. Typical is BERT-base on two sequences of 128
tokens.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.attention.attention import attention_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape

LENGTHS = {
    "small": (8, 2, 2, 4),
    "typical": (128, 2, 12, 64),
    "large": (512, 2, 12, 64),
    "skewed": (101, 1, 1, 3),
}
"""Tokens, sequences, heads and features a head."""
CROSS = {**LENGTHS, "typical": (128, 2, 8, 64), "skewed": (11, 1, 1, 3)}


def split_projections(projections: Array, heads: int, parts: int) -> list[Array]:
    """Return each part as (batch * heads, length, features)."""
    length, batch, _ = projections.shape
    split = projections.reshape(length, batch * heads, parts, -1)
    return [split[:, :, at].transpose(1, 0, 2) for at in range(parts)]


def interleave(parts: Sequence[Array], shape: Shape) -> Array:
    """Put the parts of each head side by side: the inverse of `split_projections`."""
    split = np.stack([part.transpose(1, 0, 2) for part in parts], 2)
    return split.reshape(shape)


def merge_heads(values: Array, batch: int) -> Array:
    """Return (batch * heads, length, features) values as (length, batch, heads * features)."""
    return values.transpose(1, 0, 2).reshape(values.shape[1], batch, -1)


def self_scores(projections: Array, *, heads: int) -> Array:
    """Return query @ key^T / sqrt(features) of each head."""
    query, key, _ = split_projections(projections, heads, 3)
    return attention_scores(query, key)


def self_scores_gradient(
    cotangents: Sequence[Array], projections: Array, *, heads: int
) -> tuple[Array]:
    """Return the gradient by the projections; zero for the values, which are not used."""
    query, key, value = split_projections(projections, heads, 3)
    cotangent = cotangents[0] / sqrt(query.shape[-1])
    parts = cotangent @ key, cotangent.swapaxes(1, 2) @ query, np.zeros_like(value)
    return (interleave(parts, projections.shape),)


class InterleavedAttention(Declaration, abstract=True):
    """One half of attention on interleaved projections."""

    attributes = {"heads": 12}
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def head_size(self, name: str, parts: int) -> int:
        """Return the features of a head that has this many parts."""
        self.require_rank(name, 3)
        width, heads = self.inputs[name][2], self.inputs["heads"]
        fits = heads >= 1 and width % (heads * parts) == 0
        self.require(fits, "heads", f"must divide a {parts}th of {width}, the width of {name}")
        return int(width // (heads * parts))


class SelfAttentionScores(InterleavedAttention):
    """query @ key^T / sqrt(features), from interleaved projections of one sequence."""

    tensors = {"projections": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"projections": (t, n, h * 3 * d), "heads": h}
        for size, (t, n, h, d) in LENGTHS.items()
    }
    part_read = {"projections": "queries and keys"}
    reference = self_scores
    gradient = self_scores_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch * heads, length, length)."""
        self.head_size("projections", 3)
        length, batch, _ = self.inputs["projections"]
        return ((batch * self.inputs["heads"], length, length),)

    def flop_count(self) -> int:
        """Return 2 FLOP a score and feature."""
        return 2 * prod(self.outputs()[0]) * self.head_size("projections", 3)

    def elements_read(self) -> dict[str, int]:
        """Return the queries and the keys: two thirds of the projections."""
        return {"projections": prod(self.inputs["projections"]) // 3 * 2}


def self_values(projections: Array, shares: Array, *, heads: int) -> Array:
    """Return shares @ value of each head."""
    value = split_projections(projections, heads, 3)[2]
    return merge_heads(shares @ value, projections.shape[1])


class SelfAttentionValues(InterleavedAttention):
    """shares @ value, from interleaved projections of one sequence."""

    tensors = {"projections": Tensor(), "shares": Tensor()}
    sizes = {
        size: {"projections": (t, n, h * 3 * d), "shares": (n * h, t, t), "heads": h}
        for size, (t, n, h, d) in {**LENGTHS, "skewed": (11, 1, 1, 3)}.items()
    }
    part_read = {"projections": "the values"}
    reference = self_values

    def outputs(self) -> tuple[Shape, ...]:
        """Return (length, batch, heads * features)."""
        size = self.head_size("projections", 3)
        length, batch, _ = self.inputs["projections"]
        expected = (batch * self.inputs["heads"], length, length)
        self.require(self.inputs["shares"] == expected, "shares", f"must be {expected}")
        return ((length, batch, self.inputs["heads"] * size),)

    def flop_count(self) -> int:
        """Return 2 FLOP a share and feature."""
        return 2 * prod(self.inputs["shares"]) * self.head_size("projections", 3)

    def elements_read(self) -> dict[str, int]:
        """Return the values, a third of the projections, and the shares."""
        read = super().elements_read()
        return {**read, "projections": prod(self.inputs["projections"]) // 3}


def cross_scores(queries: Array, projections: Array, *, heads: int) -> Array:
    """Return query @ key^T / sqrt(features) of each head."""
    (query,) = split_projections(queries, heads, 1)
    key, _ = split_projections(projections, heads, 2)
    return attention_scores(query, key)


class CrossAttentionScores(InterleavedAttention):
    """query @ key^T / sqrt(features), with the keys of another sequence.

    Typical is the decoder of the base Transformer (Vaswani et al. 2017): 8 heads of 64.
    """

    tensors = {"queries": Tensor(), "projections": Tensor()}
    attributes = {"heads": 8}
    sizes = {
        size: {"queries": (t, n, h * d), "projections": (t, n, h * 2 * d), "heads": h}
        for size, (t, n, h, d) in {
            **LENGTHS,
            "typical": (128, 2, 8, 64),
            "skewed": (11, 1, 1, 3),
        }.items()
    }
    part_read = {"projections": "the keys"}
    reference = cross_scores

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch * heads, queries, keys)."""
        size = self.head_size("queries", 1)
        fits = self.head_size("projections", 2) == size
        self.require(fits, "projections", f"must have heads of {size} features, as queries have")
        (length, batch, _), (keys, found, _) = self.inputs["queries"], self.inputs["projections"]
        self.require(found == batch, "projections", f"must have {batch} sequences")
        return ((batch * self.inputs["heads"], length, keys),)

    def flop_count(self) -> int:
        """Return 2 FLOP a score and feature."""
        return 2 * prod(self.outputs()[0]) * self.head_size("queries", 1)

    def elements_read(self) -> dict[str, int]:
        """Return the queries, and the keys: half of the projections."""
        read = super().elements_read()
        return {**read, "projections": prod(self.inputs["projections"]) // 2}


def cross_values(projections: Array, shares: Array, *, heads: int) -> Array:
    """Return shares @ value of each head."""
    _, value = split_projections(projections, heads, 2)
    return merge_heads(shares @ value, projections.shape[1])


class CrossAttentionValues(InterleavedAttention):
    """shares @ value, with the values of another sequence."""

    tensors = {"projections": Tensor(), "shares": Tensor()}
    attributes = {"heads": 8}
    sizes = {
        size: {"projections": (t, n, h * 2 * d), "shares": (n * h, t, t), "heads": h}
        for size, (t, n, h, d) in {
            **LENGTHS,
            "typical": (128, 2, 8, 64),
            "skewed": (11, 1, 1, 3),
        }.items()
    }
    part_read = {"projections": "the values"}
    reference = cross_values

    def outputs(self) -> tuple[Shape, ...]:
        """Return (queries, batch, heads * features)."""
        size = self.head_size("projections", 2)
        keys, batch, _ = self.inputs["projections"]
        self.require_rank("shares", 3)
        queries = self.inputs["shares"][1]
        expected = (batch * self.inputs["heads"], queries, keys)
        self.require(self.inputs["shares"] == expected, "shares", f"must be {expected}")
        return ((queries, batch, self.inputs["heads"] * size),)

    def flop_count(self) -> int:
        """Return 2 FLOP a share and feature."""
        return 2 * prod(self.inputs["shares"]) * self.head_size("projections", 2)

    def elements_read(self) -> dict[str, int]:
        """Return the values, half of the projections, and the shares."""
        read = super().elements_read()
        return {**read, "projections": prod(self.inputs["projections"]) // 2}
