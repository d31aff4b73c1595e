"""MXNet's callables for the operators of recurrent, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import Fusable, built
from opperf.core.frameworks.limitation import (
    BACKWARD,
    Limitation,
    SizeThreshold,
    rounded_sums,
    unfused,
)
from opperf.mxnet_benchmarks.binding.recurrent import STEP, cell_loop, gru_cell, layer, lstm_cell
from opperf.mxnet_benchmarks.limits import steps
from opperf.operators.recurrent import cells, gated, recurrent

CALLS = "mxnet.nd.RNN + mxnet.nd.concat"
CELL = f"{STEP} + mxnet.nd.stack"

TABLE = {
    cells.RNNReLU: built(CALLS, partial(layer, mode="rnn_relu")).limited(
        Limitation(
            dtypes=("float64",),
            words="of the scale, allowed 1e-09",
            note="it computes with the precision of float32",
        ),
    ),
    cells.LSTMCell: built(STEP, lstm_cell),
    cells.GRUCell: built(STEP, gru_cell),
    gated.LSTM: Fusable(
        fused=built(CALLS, partial(layer, mode="lstm")),
        unfused=built(CELL, cell_loop),
    ).limited(
        *unfused(rounded_sums("bfloat16", SizeThreshold(8, "steps", steps), BACKWARD)),
    ),
    gated.GRU: built(CALLS, partial(layer, mode="gru")),
    recurrent.RNN: built(CALLS, partial(layer, mode="rnn_tanh")),
}
