"""Scaled dot-product attention."""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, ClassVar

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import part_of
from opperf.declaring.declaration import Declaration
from opperf.operators.gemm.gemm import BatchDot
from opperf.operators.gemm.scaled import Gemm2
from opperf.operators.softmax.softmax import Softmax, softmax, softmax_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def attention_scores(query: Array, key: Array) -> Array:
    """Return query @ key^T / sqrt(features)."""
    result: Array = query @ key.swapaxes(-1, -2) / sqrt(query.shape[-1])
    return result


def attention(query: Array, key: Array, value: Array) -> Array:
    """Return softmax(query @ key^T / sqrt(features)) @ value (Vaswani et al. 2017, equation 1)."""
    return softmax(attention_scores(query, key), axis=-1) @ value


def attention_gradient(
    cotangents: Sequence[Array], query: Array, key: Array, value: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by query, key and value."""
    scores = attention_scores(query, key)
    shares = softmax(scores, axis=-1)
    by_shares = cotangents[0] @ value.swapaxes(-1, -2)
    (by_scores,) = softmax_gradient([by_shares], scores, axis=-1)
    by_scores /= sqrt(query.shape[-1])
    by_value = shares.swapaxes(-1, -2) @ cotangents[0]
    return by_scores @ key, by_scores.swapaxes(-1, -2) @ query, by_value


def head_shapes(sequences: int, count: int, queries: int, keys: int) -> dict[str, Shape]:
    """Return the shapes of heads of 64 features, as in BERT and GPT-2."""
    context = (sequences, count, keys, 64)
    return {"query": (sequences, count, queries, 64), "key": context, "value": context}


class ScaledDotProductAttention(Declaration):
    """softmax(query @ key^T / sqrt(features)) @ value, without mask or dropout.

    Tensors are (batch, heads, length, features). Fused in one call; unfused as the scaled scores,
    their softmax and its product with the values. Typical is BERT-base on two sequences of 128
    tokens, large on two of 512; skewed is GPT-2 that generates one token with a context of 1023.
    """

    fusable = True
    tensors = {"query": Tensor(), "key": Tensor(), "value": Tensor()}
    sizes = {
        "small": head_shapes(1, 2, 16, 16),
        "typical": head_shapes(2, 12, 128, 128),
        "large": head_shapes(2, 12, 512, 512),
        "skewed": head_shapes(1, 12, 1, 1023),
    }
    reference = attention
    gradient = attention_gradient
    backward_work = 2
    tags: ClassVar[tuple[str, ...]] = ("core",)
    tolerance = gradient_tolerance = CANCELING_SUMS

    def parts(self) -> tuple[Declaration, ...]:
        """Return the scores, the softmax and the product with the values."""
        query, key, value = (self.flat(name) for name in ("query", "key", "value"))
        scores = part_of(self, Gemm2, lhs=query, rhs=key, alpha=1 / sqrt(query[-1]))
        (shape,) = scores.outputs()
        shares = part_of(self, Softmax, data=shape, axis=-1)
        return scores, shares, part_of(self, BatchDot, lhs=shape, rhs=value)

    def flat(self, name: str) -> Shape:
        """Return a tensor's shape with batch and heads in one axis."""
        batch, heads, *rest = self.inputs[name]
        return (batch * heads, *rest)

    def outputs(self) -> tuple[Shape, ...]:
        """Return a value for each query."""
        for name in ScaledDotProductAttention.tensors:
            self.require_rank(name, 4)
        batch, heads, queries, features = self.inputs["query"]
        keys, values = self.inputs["key"][2], self.inputs["value"][3]
        fits = self.inputs["key"] == (batch, heads, keys, features)
        self.require(fits, "key", f"must be ({batch}, {heads}, any, {features}), as query is")
        fits = self.inputs["value"][:3] == (batch, heads, keys)
        self.require(fits, "value", f"must be ({batch}, {heads}, {keys}, any), as key is")
        return ((batch, heads, queries, values),)

    def flop_count(self) -> int:
        """Return 2 FLOP a query, key and feature, for each of the two products."""
        features = self.inputs["query"][-1] + self.inputs["value"][-1]
        return 2 * self.pairs() * int(features)

    def pairs(self) -> int:
        """Return the number of query-key pairs of all heads."""
        return prod(self.inputs["query"][:3]) * int(self.inputs["key"][2])
