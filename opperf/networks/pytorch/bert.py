"""BERT-base, uncased, with its pooler and without a head: https://arxiv.org/abs/1810.04805."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from opperf.networks.examples import below
from opperf.networks.pytorch.model import Model
from opperf.networks.pytorch.transformer import TransformerBlock
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

VOCABULARY, POSITIONS, SEGMENTS = 30522, 512, 2
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-12


@implements("bert_base", title="BERT-base", parameters=109_482_240)
class Bert(Model):
    """Embeddings, twelve blocks that normalize afterwards, and tanh of the first position.

    Its loss takes the pooled features as scores of as many classes.
    """

    size, tiny, batch, classes = 128, 4, 4, WIDTH

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
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

    def example(self, batch: int, generator: Generator) -> Example:
        """Return tokens, their segments, and a class of each sequence."""
        shape = batch, self.size
        words, segments = (below(generator, most, shape) for most in (VOCABULARY, SEGMENTS))
        return (words, segments), below(generator, self.classes, (batch,))
