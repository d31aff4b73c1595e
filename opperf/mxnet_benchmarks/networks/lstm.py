"""An LSTM language model, the medium one of https://arxiv.org/abs/1409.2329."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mxnet.gluon import nn, rnn

from opperf.mxnet_benchmarks.networks.examples import next_token
from opperf.mxnet_benchmarks.networks.resnet import sequence

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.networks.examples import Example

VOCABULARY, WIDTH, LAYERS, DROPOUT = 10000, 650, 2, 0.5


def lstm(batch: int = 20, length: int = 35) -> Example:
    """Return an embedding, two layers of an LSTM and scores of the next word, on 35 words."""
    block = sequence(
        nn.Embedding(VOCABULARY, WIDTH),
        nn.Dropout(DROPOUT),
        rnn.LSTM(WIDTH, LAYERS, layout="NTC", dropout=DROPOUT, input_size=WIDTH),
        nn.Dropout(DROPOUT),
        nn.Dense(VOCABULARY, flatten=False, in_units=WIDTH),
    )
    return next_token(block, batch, length, VOCABULARY)
