"""What BERT, GPT-2 and ViT are made of."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from mxnet import nd
from mxnet.gluon import HybridBlock, nn

from opperf.networks.mxnet.layers import sequence

HIDDEN = -1e9
"""What is added to the score of a position that must not be seen."""
CUBIC, ROOT = 0.044715, 0.7978845608028654
"""Of the approximation of GELU by tanh; the root is that of 2 / pi."""


class Attention(HybridBlock):
    """Multi-head self-attention by one product for queries, keys and values.

    With a `length`, a position sees only those before it.
    """

    def __init__(self, width: int, heads: int, dropout: float, length: int | None) -> None:
        super().__init__()
        self.width, self.heads = width, heads
        self.projected = nn.Dense(3 * width, flatten=False, in_units=width)
        self.output = nn.Dense(width, flatten=False, in_units=width)
        self.dropout = nn.Dropout(dropout)
        if length is not None:
            later = np.triu(np.full((1, length, length), HIDDEN, "float32"), 1)
            self.mask = self.params.get_constant("mask", nd.array(later))

    def hybrid_forward(self, F: Any, data: Any, mask: Any = None) -> Any:  # noqa: N803 - Gluon's
        """Return softmax(q kT / sqrt(d)) v of each head, projected."""
        depth = self.width // self.heads
        joined = F.reshape(self.projected(data), shape=(0, 0, 3, self.heads, depth))
        apart = F.transpose(joined, axes=(2, 0, 3, 1, 4))
        query, key, value = (
            F.reshape(each, shape=(-3, 0, 0))
            for each in F.split(apart, num_outputs=3, axis=0, squeeze_axis=True)
        )
        scores = F.batch_dot(query / sqrt(depth), key, transpose_b=True)
        if mask is not None:
            scores = F.broadcast_add(scores, mask)
        found = F.batch_dot(self.dropout(F.softmax(scores)), value)
        heads = F.reshape(found, shape=(-4, -1, self.heads, 0, 0))
        return self.output(F.reshape(F.transpose(heads, axes=(0, 2, 1, 3)), shape=(0, 0, -3)))


class TanhGelu(HybridBlock):
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))."""

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the approximation of GELU."""
        return 0.5 * data * (1.0 + F.tanh(ROOT * (data + CUBIC * data * data * data)))


class TransformerBlock(HybridBlock):
    """Attention and two linear layers, each added to its input and normalized before or after."""

    def __init__(  # noqa: PLR0913 - what the three networks differ in
        self,
        width: int,
        heads: int,
        dropout: float,
        *,
        epsilon: float,
        attention_dropout: float = 0.0,
        approximate: bool = False,
        length: int | None = None,
        normalized_first: bool = True,
    ) -> None:
        super().__init__()
        self.normalized_first = normalized_first
        self.attention = Attention(width, heads, attention_dropout, length)
        self.attention_norm = nn.LayerNorm(epsilon=epsilon, in_channels=width)
        self.perceptron = sequence(
            nn.Dense(4 * width, flatten=False, in_units=width),
            TanhGelu() if approximate else nn.GELU(),
            nn.Dense(width, flatten=False, in_units=4 * width),
        )
        self.perceptron_norm = nn.LayerNorm(epsilon=epsilon, in_channels=width)
        self.dropout = nn.Dropout(dropout)

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the block's output."""
        if self.normalized_first:
            data = data + self.dropout(self.attention(self.attention_norm(data)))
            return data + self.dropout(self.perceptron(self.perceptron_norm(data)))
        data = self.attention_norm(data + self.dropout(self.attention(data)))
        return self.perceptron_norm(data + self.dropout(self.perceptron(data)))
