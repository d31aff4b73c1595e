"""GPT-2, the smallest: Radford et al., "Language Models are Unsupervised Multitask Learners"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.pytorch_benchmarks.networks.examples import next_token, tokens
from opperf.pytorch_benchmarks.networks.transformer import TransformerBlock

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

VOCABULARY, POSITIONS = 50257, 1024
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-5


class Gpt2(nn.Module):
    """Embeddings, twelve causal blocks that normalize first, and scores by the embeddings."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = nn.Sequential(
            *(
                TransformerBlock(
                    WIDTH, HEADS, DROPOUT,
                    epsilon=EPSILON, attention_dropout=DROPOUT, approximate="tanh", causal=True,
                )
                for _ in range(LAYERS)
            )
        )  # fmt: skip
        self.norm = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, words: Any) -> Any:
        """Return the scores of each position's next token."""
        positions = torch.arange(words.shape[1], device=words.device)
        data = self.dropout(self.word(words) + self.position(positions))
        return functional.linear(self.norm(self.blocks(data)), self.word.weight)


def gpt2(batch: int = 2, length: int = 128) -> Example:
    """Return GPT-2."""
    inputs = (tokens(batch, length, VOCABULARY),)
    return Gpt2(), inputs, next_token(batch, length, VOCABULARY)
