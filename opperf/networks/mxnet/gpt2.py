"""GPT-2, the smallest: Radford et al., "Language Models are Unsupervised Multitask Learners"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet import init
from mxnet.gluon import nn

from opperf.networks.examples import next_tokens
from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.mxnet.transformer import TransformerBlock
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

VOCABULARY, POSITIONS = 50257, 1024
WIDTH, HEADS, LAYERS = 768, 12, 12
DROPOUT, EPSILON = 0.1, 1e-5


@implements("gpt2", title="GPT-2", parameters=124_439_808)
class Gpt2(Model):
    """Embeddings, twelve causal blocks that normalize first, and scores by the embeddings."""

    size, tiny, batch, classes = 128, 4, 2, VOCABULARY

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.word = self.params.get("word", shape=(VOCABULARY, WIDTH), init=init.Normal(0.02))
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = sequence(
            *(
                TransformerBlock(
                    WIDTH, HEADS, DROPOUT,
                    epsilon=EPSILON, attention_dropout=DROPOUT, approximate=True, length=self.size,
                )
                for _ in range(LAYERS)
            )
        )  # fmt: skip
        self.norm = nn.LayerNorm(epsilon=EPSILON, in_channels=WIDTH)

    def hybrid_forward(self, F: Any, words: Any, word: Any) -> Any:  # noqa: N803 - Gluon's
        """Return the scores of each position's next token."""
        found = F.Embedding(words, word, input_dim=VOCABULARY, output_dim=WIDTH)
        positions = F.expand_dims(self.position(F.arange(0, self.size)), 0)
        data = self.norm(self.blocks(self.dropout(F.broadcast_add(found, positions))))
        return F.FullyConnected(data, word, num_hidden=VOCABULARY, no_bias=True, flatten=False)

    def example(self, batch: int, generator: Generator) -> Example:
        """Return tokens, and the next one of each."""
        return next_tokens(generator, batch, self.size, VOCABULARY)
