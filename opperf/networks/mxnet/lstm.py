"""An LSTM language model, the medium one of https://arxiv.org/abs/1409.2329."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn, rnn

from opperf.networks.examples import next_tokens
from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

VOCABULARY, WIDTH, LAYERS, DROPOUT = 10000, 650, 2, 0.5


@implements("lstm", title="LSTM language model", parameters=19_780_400)
class LanguageModel(Model):
    """An embedding, two layers of an LSTM, and scores of the next word."""

    size, tiny, batch, classes = 35, 2, 20, VOCABULARY

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.body = sequence(
            nn.Embedding(VOCABULARY, WIDTH),
            nn.Dropout(DROPOUT),
            rnn.LSTM(WIDTH, LAYERS, layout="NTC", dropout=DROPOUT, input_size=WIDTH),
            nn.Dropout(DROPOUT),
            nn.Dense(VOCABULARY, flatten=False, in_units=WIDTH),
        )

    def hybrid_forward(self, F: Any, words: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the scores of each position's next word."""
        return self.body(words)

    def example(self, batch: int, generator: Generator) -> Example:
        """Return words, and the next one of each."""
        return next_tokens(generator, batch, self.size, VOCABULARY)
