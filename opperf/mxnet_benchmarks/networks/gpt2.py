"""GPT-2, the smallest: Radford et al., "Language Models are Unsupervised Multitask Learners"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet import init
from mxnet.gluon import HybridBlock, nn

from opperf.mxnet_benchmarks.networks.examples import next_token
from opperf.mxnet_benchmarks.networks.resnet import sequence
from opperf.mxnet_benchmarks.networks.transformer import TransformerBlock

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.networks.examples import Example

VOCABULARY, POSITIONS = 50257, 1024
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-5


class Gpt2(HybridBlock):
    """Embeddings, twelve causal blocks that normalize first, and scores by the embeddings."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length
        self.word = self.params.get("word", shape=(VOCABULARY, WIDTH), init=init.Normal(0.02))
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = sequence(
            *(
                TransformerBlock(
                    WIDTH, HEADS, DROPOUT,
                    epsilon=EPSILON, attention_dropout=DROPOUT, approximate=True, length=length,
                )
                for _ in range(LAYERS)
            )
        )  # fmt: skip
        self.norm = nn.LayerNorm(epsilon=EPSILON, in_channels=WIDTH)

    def hybrid_forward(self, F: Any, words: Any, word: Any) -> Any:  # noqa: N803 - Gluon's
        """Return the scores of each position's next token."""
        found = F.Embedding(words, word, input_dim=VOCABULARY, output_dim=WIDTH)
        positions = F.expand_dims(self.position(F.arange(0, self.length)), 0)
        data = self.norm(self.blocks(self.dropout(F.broadcast_add(found, positions))))
        return F.FullyConnected(data, word, num_hidden=VOCABULARY, no_bias=True, flatten=False)


def gpt2(batch: int = 2, length: int = 128) -> Example:
    """Return GPT-2."""
    return next_token(Gpt2(length), batch, length, VOCABULARY)
