"""BERT-base, uncased, with its pooler and without a head: https://arxiv.org/abs/1810.04805."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from opperf.pytorch_benchmarks.networks.examples import classification, tokens
from opperf.pytorch_benchmarks.networks.transformer import TransformerBlock

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

VOCABULARY, POSITIONS, SEGMENTS = 30522, 512, 2
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-12


class Bert(nn.Module):
    """Embeddings, twelve blocks that normalize afterwards, and tanh of the first position."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, WIDTH, padding_idx=0)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.segment = nn.Embedding(SEGMENTS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = nn.Sequential(
            *(
                TransformerBlock(
                    WIDTH, HEADS, DROPOUT,
                    epsilon=EPSILON, attention_dropout=DROPOUT, normalized_first=False,
                )
                for _ in range(LAYERS)
            )
        )  # fmt: skip
        self.pooler = nn.Linear(WIDTH, WIDTH)

    def forward(self, words: Any, segments: Any) -> Any:
        """Return the pooled features of each sequence."""
        positions = torch.arange(words.shape[1], device=words.device)
        data = self.word(words) + self.position(positions) + self.segment(segments)
        data = self.blocks(self.dropout(self.norm(data)))
        return torch.tanh(self.pooler(data[:, 0]))


def bert_base(batch: int = 4, length: int = 128) -> Example:
    """Return BERT-base; its loss takes the pooled features as scores of as many classes."""
    inputs = tokens(batch, length, VOCABULARY), tokens(batch, length, SEGMENTS)
    return Bert(), inputs, classification(batch, WIDTH)
