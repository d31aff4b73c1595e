"""BERT-base, uncased, with its pooler and without a head: https://arxiv.org/abs/1810.04805."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn

from opperf.networks.examples import below
from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.mxnet.transformer import TransformerBlock
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
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.segment = nn.Embedding(SEGMENTS, WIDTH)
        self.norm = nn.LayerNorm(epsilon=EPSILON, in_channels=WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = sequence(
            *(
                TransformerBlock(
                    WIDTH, HEADS, DROPOUT,
                    epsilon=EPSILON, attention_dropout=DROPOUT, normalized_first=False,
                )
                for _ in range(LAYERS)
            )
        )  # fmt: skip
        self.pooler = nn.Dense(WIDTH, activation="tanh", in_units=WIDTH)

    def hybrid_forward(self, F: Any, words: Any, segments: Any) -> Any:  # noqa: N803 - Gluon's
        """Return the pooled features of each sequence."""
        positions = self.position(F.arange(0, self.size))
        data = F.broadcast_add(
            self.word(words) + self.segment(segments), F.expand_dims(positions, 0)
        )
        data = self.blocks(self.dropout(self.norm(data)))
        return self.pooler(F.slice_axis(data, axis=1, begin=0, end=1))

    def example(self, batch: int, generator: Generator) -> Example:
        """Return tokens, their segments, and a class of each sequence."""
        shape = batch, self.size
        words, segments = (below(generator, most, shape) for most in (VOCABULARY, SEGMENTS))
        return (words, segments), below(generator, self.classes, (batch,))
