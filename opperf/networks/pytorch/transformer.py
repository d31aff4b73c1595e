"""What BERT, GPT-2 and ViT are made of."""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    """Multi-head self-attention by one product for queries, keys and values."""

    def __init__(self, width: int, heads: int, dropout: float, *, causal: bool) -> None:
        super().__init__()
        self.heads, self.dropout, self.causal = heads, dropout, causal
        self.projected = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, data: Any) -> Any:
        """Return softmax(q kT / sqrt(d)) v of each head, projected."""
        batch, length, width = data.shape
        joined = self.projected(data).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = joined.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(
            query, key, value,
            dropout_p=self.dropout if self.training else 0.0, is_causal=self.causal,
        )  # fmt: skip
        return self.output(found.transpose(1, 2).reshape(batch, length, width))


class TransformerBlock(nn.Module):
    """Attention and two linear layers, each added to its input and normalized before or after."""

    def __init__(  # noqa: PLR0913 - what the three networks differ in
        self,
        width: int,
        heads: int,
        dropout: float,
        *,
        epsilon: float,
        attention_dropout: float = 0.0,
        approximate: str = "none",
        causal: bool = False,
        normalized_first: bool = True,
    ) -> None:
        super().__init__()
        self.normalized_first = normalized_first
        self.attention = Attention(width, heads, attention_dropout, causal=causal)
        self.attention_norm = nn.LayerNorm(width, epsilon)
        self.perceptron = nn.Sequential(
            nn.Linear(width, 4 * width),
            nn.GELU(approximate=approximate),
            nn.Linear(4 * width, width),
        )
        self.perceptron_norm = nn.LayerNorm(width, epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, data: Any) -> Any:
        """Return the block's output."""
        if self.normalized_first:
            data = data + self.dropout(self.attention(self.attention_norm(data)))
            return data + self.dropout(self.perceptron(self.perceptron_norm(data)))
        data = self.attention_norm(data + self.dropout(self.attention(data)))
        return self.perceptron_norm(data + self.dropout(self.perceptron(data)))
