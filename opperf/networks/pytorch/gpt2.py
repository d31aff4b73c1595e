"""GPT-2, the smallest: Radford et al., "Language Models are Unsupervised Multitask Learners"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.networks.examples import next_tokens
from opperf.networks.pytorch.model import Model
from opperf.networks.pytorch.transformer import TransformerBlock
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

VOCABULARY, POSITIONS = 50257, 1024
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON, DEVIATION = 0.1, 1e-5, 0.02


@implements("gpt2", title="GPT-2", parameters=124_439_808)
class Gpt2(Model):
    """Embeddings, twelve causal blocks that normalize first, and scores by the embeddings."""

    size, tiny, batch, classes = 128, 4, 2, VOCABULARY

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        # As published; PyTorch's own begin so large that the scores, made by them too, are absurd.
        for embedding in (self.word, self.position):
            nn.init.normal_(embedding.weight, std=DEVIATION)
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

    def example(self, batch: int, generator: Generator) -> Example:
        """Return tokens, and the next one of each."""
        return next_tokens(generator, batch, self.size, VOCABULARY)
