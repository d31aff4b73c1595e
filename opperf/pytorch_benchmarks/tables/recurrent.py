"""PyTorch's callables for the operators of recurrent, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Fusable, built
from opperf.operators.recurrent import cells, gated, recurrent
from opperf.pytorch_benchmarks.binding.recurrent import cell, cell_loop, layer

TABLE = {
    cells.RNNReLU: built("torch.rnn_relu", layer),
    cells.LSTMCell: built("torch.lstm_cell", cell),
    cells.GRUCell: built("torch.gru_cell", cell),
    gated.LSTM: Fusable(
        fused=built("torch.lstm", layer),
        unfused=built("torch.lstm_cell + torch.stack", cell_loop),
    ),
    gated.GRU: built("torch.gru", layer),
    recurrent.RNN: built("torch.rnn_tanh", layer),
}
