"""An LSTM language model, the medium one of https://arxiv.org/abs/1409.2329."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import nn

from opperf.pytorch_benchmarks.networks.examples import next_token, tokens

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

VOCABULARY, WIDTH, LAYERS, DROPOUT = 10000, 650, 2, 0.5


class LanguageModel(nn.Module):
    """An embedding, two layers of an LSTM, and scores of the next word."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.lstm = nn.LSTM(WIDTH, WIDTH, LAYERS, dropout=DROPOUT, batch_first=True)
        self.scores = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, words: Any) -> Any:
        """Return the scores of each position's next word."""
        found, _ = self.lstm(self.dropout(self.word(words)))
        return self.scores(self.dropout(found))


def lstm(batch: int = 20, length: int = 35) -> Example:
    """Return the language model on sequences of 35 words."""
    inputs = (tokens(batch, length, VOCABULARY),)
    return LanguageModel(), inputs, next_token(batch, length, VOCABULARY)
