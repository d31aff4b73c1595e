"""An LSTM language model, the medium one of https://arxiv.org/abs/1409.2329."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import nn

from opperf.networks.examples import next_tokens
from opperf.networks.pytorch.model import Model
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
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.lstm = nn.LSTM(WIDTH, WIDTH, LAYERS, dropout=DROPOUT, batch_first=True)
        self.scores = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, words: Any) -> Any:
        """Return the scores of each position's next word."""
        found, _ = self.lstm(self.dropout(self.word(words)))
        return self.scores(self.dropout(found))

    def example(self, batch: int, generator: Generator) -> Example:
        """Return words, and the next one of each."""
        return next_tokens(generator, batch, self.size, VOCABULARY)
