"""BERT-base, uncased, with its pooler and without a head: https://arxiv.org/abs/1810.04805."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import HybridBlock, nn
from mxnet.gluon.loss import SoftmaxCrossEntropyLoss

from opperf.mxnet_benchmarks.networks.examples import below
from opperf.mxnet_benchmarks.networks.resnet import sequence
from opperf.mxnet_benchmarks.networks.transformer import TransformerBlock

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.networks.examples import Example

VOCABULARY, POSITIONS, SEGMENTS = 30522, 512, 2
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-12


class Bert(HybridBlock):
    """Embeddings, twelve blocks that normalize afterwards, and tanh of the first position."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length
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
        positions = self.position(F.arange(0, self.length))
        data = F.broadcast_add(
            self.word(words) + self.segment(segments), F.expand_dims(positions, 0)
        )
        data = self.blocks(self.dropout(self.norm(data)))
        return self.pooler(F.slice_axis(data, axis=1, begin=0, end=1))


def bert_base(batch: int = 4, length: int = 128) -> Example:
    """Return BERT-base; its loss takes the pooled features as scores of as many classes."""
    inputs = below(VOCABULARY, batch, length), below(SEGMENTS, batch, length)
    return Bert(length), inputs, SoftmaxCrossEntropyLoss(), below(WIDTH, batch)
