"""Causal, grouped-query and multi-head attention.

Typical is BERT-base on two sequences of 128 tokens unless a docstring says otherwise.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.counts import on_and_below_diagonal
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import Unary
from opperf.operators.attention.attention import (
    ScaledDotProductAttention,
    attention,
    attention_gradient,
    attention_scores,
    head_shapes,
)
from opperf.operators.softmax.softmax import softmax, softmax_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def causal_attention(query: Array, key: Array, value: Array) -> Array:
    """Return attention in which a query sees no later key."""
    scores = attention_scores(query, key)
    later = np.triu(np.ones(scores.shape[-2:], bool), 1)
    return softmax(np.where(later, -np.inf, scores), axis=-1) @ value


def causal_attention_gradient(
    cotangents: Sequence[Array], query: Array, key: Array, value: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by query, key and value; later keys get none."""
    scores = attention_scores(query, key)
    scores = np.where(np.triu(np.ones(scores.shape[-2:], bool), 1), -np.inf, scores)
    shares = softmax(scores, axis=-1)
    (by_scores,) = softmax_gradient([cotangents[0] @ value.swapaxes(-1, -2)], scores, axis=-1)
    by_scores /= sqrt(query.shape[-1])
    by_value = shares.swapaxes(-1, -2) @ cotangents[0]
    return by_scores @ key, by_scores.swapaxes(-1, -2) @ query, by_value


class CausalAttention(ScaledDotProductAttention):
    """Causal attention: each query attends to its own and earlier positions.

    Typical is GPT-2 on two sequences of 128 tokens.
    """

    fusable = False
    sizes = {
        "small": head_shapes(1, 1, 6, 6),
        "typical": head_shapes(2, 12, 128, 128),
        "large": head_shapes(2, 12, 512, 512),
        "skewed": head_shapes(1, 1, 3, 3),
    }
    reference = causal_attention
    gradient = causal_attention_gradient

    def pairs(self) -> int:
        """Return the number of query-key pairs that the mask leaves, of all heads."""
        batch, heads, queries, _ = self.inputs["query"]
        keys = int(self.inputs["key"][2])
        return int(batch * heads) * on_and_below_diagonal(queries, keys)


def grouped_query_attention(query: Array, key: Array, value: Array) -> Array:
    """Return attention with each head of keys and values repeated for its queries."""
    times = query.shape[1] // key.shape[1]
    return attention(query, key.repeat(times, 1), value.repeat(times, 1))


def grouped_query_attention_gradient(
    cotangents: Sequence[Array], query: Array, key: Array, value: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients; those of a shared head are summed."""
    times, shape = query.shape[1] // key.shape[1], (*key.shape[:2], -1, *key.shape[2:])
    found = attention_gradient(cotangents, query, key.repeat(times, 1), value.repeat(times, 1))
    by_query, by_key, by_value = found
    return by_query, by_key.reshape(shape).sum(axis=2), by_value.reshape(shape).sum(axis=2)


class GroupedQueryAttention(Declaration):
    """Grouped-query attention: query heads share heads of keys and values.

    See Ainslie et al. (2023). Typical is a quarter of Llama 3 8B's heads, 8 of queries to 2 of
    keys, for 512 tokens.
    """

    tensors = {"query": Tensor(), "key": Tensor(), "value": Tensor()}
    sizes = {
        size: {"query": (n, q, t, d), "key": (n, k, t, d), "value": (n, k, t, d)}
        for size, (n, q, k, t, d) in {
            "small": (1, 4, 2, 6, 8),
            "typical": (1, 8, 2, 512, 128),
            "large": (1, 32, 8, 1024, 128),
            "skewed": (1, 3, 1, 7, 8),
        }.items()
    }
    reference = grouped_query_attention
    gradient = grouped_query_attention_gradient
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return a value for each query."""
        for name in self.tensors:
            self.require_rank(name, 4)
        batch, heads, queries, features = self.inputs["query"]
        groups, keys = self.inputs["key"][1:3]
        self.require(heads % groups == 0, "key", f"must have a divisor of {heads} heads")
        for name in ("key", "value"):
            expected = (batch, groups, keys, features)
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        return ((batch, heads, queries, features),)

    def flop_count(self) -> int:
        """Return 2 FLOP a query, key and feature, for each of the two products."""
        return 4 * prod(self.inputs["query"]) * int(self.inputs["key"][2])


def divide_by_root(data: Array) -> Array:
    """Return data / sqrt(last dimension)."""
    result: Array = data / sqrt(data.shape[-1])
    return result


class DivSqrtDim(Unary):
    """data / sqrt(last dimension), as queries are scaled."""

    category = "attention"
    reference = divide_by_root

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 1)
        return super().outputs()


def multi_head(
    data: Array, in_weight: Array, in_bias: Array, out_weight: Array, out_bias: Array, *, heads: int
) -> Array:
    """Return the projection of attention on projections (Vaswani et al. 2017, section 3.2.2)."""
    length, batch, width = data.shape
    projected = (data @ in_weight.T + in_bias).reshape(length, batch, 3, heads, width // heads)
    query, key, value = projected.transpose(2, 1, 3, 0, 4)
    found = attention(query, key, value)
    return found.transpose(2, 0, 1, 3).reshape(data.shape) @ out_weight.T + out_bias


def multi_head_gradient(  # noqa: PLR0913 - tensors and attributes by definition
    cotangents: Sequence[Array], data: Array, in_weight: Array, in_bias: Array, out_weight: Array,
    out_bias: Array, *, heads: int,
) -> tuple[Array, ...]:  # fmt: skip
    """Return the gradients by the data and by weights and biases of both projections."""
    del out_bias  # its gradient does not depend on it
    length, batch, width = data.shape
    rows, cotangent = data.reshape(-1, width), cotangents[0].reshape(-1, width)
    split = (length, batch, 3, heads, width // heads)
    parts = (rows @ in_weight.T + in_bias).reshape(split).transpose(2, 1, 3, 0, 4)
    found = attention(*parts).transpose(2, 0, 1, 3).reshape(-1, width)
    by_found = (cotangent @ out_weight).reshape(length, batch, heads, -1).transpose(1, 2, 0, 3)
    by_parts = np.stack(attention_gradient([by_found], *parts))
    by_rows = by_parts.transpose(3, 1, 0, 2, 4).reshape(-1, 3 * width)
    by_data = (by_rows @ in_weight).reshape(data.shape)
    return by_data, by_rows.T @ rows, by_rows.sum(0), cotangent.T @ found, cotangent.sum(0)


class MultiHeadAttention(Declaration):
    """Multi-head self-attention with its input and output projections.

    Data is (length, batch, features); the rows of in_weight are those of queries, then keys, then
    values.
    """

    tensors = {
        "data": Tensor(),
        "in_weight": Tensor(low=-0.25, high=0.25),
        "in_bias": Tensor(),
        "out_weight": Tensor(low=-0.25, high=0.25),
        "out_bias": Tensor(),
    }
    attributes = {"heads": 12}
    sizes = {
        size: {
            "data": (t, n, e),
            "in_weight": (3 * e, e),
            "in_bias": (3 * e,),
            "out_weight": (e, e),
            "out_bias": (e,),
            "heads": h,
        }
        for size, (t, n, e, h) in {
            "small": (4, 2, 64, 2),
            "typical": (128, 2, 768, 12),
            "large": (512, 2, 1024, 16),
            "skewed": (23, 1, 6, 1),
        }.items()
    }
    reference = multi_head
    gradient = multi_head_gradient
    dtypes = ("float64", "float32")
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 3)
        width, heads = self.inputs["data"][2], self.inputs["heads"]
        self.require(heads >= 1 and width % heads == 0, "heads", f"must divide {width} features")
        expected = {
            "in_weight": (3 * width, width),
            "in_bias": (3 * width,),
            "out_weight": (width, width),
            "out_bias": (width,),
        }
        for name, shape in expected.items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return the FLOP of the four projections and of the two products of attention."""
        length, batch, width = map(int, self.inputs["data"])
        return 8 * length * batch * width**2 + 4 * length**2 * batch * width
