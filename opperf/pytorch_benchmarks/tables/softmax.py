"""PyTorch's callables for the operators of softmax, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.softmax import layouts, softmax
from opperf.pytorch_benchmarks.binding.softmax import masked_softmax, softmax_temperature

DIM = {"axis": "dim"}

TABLE = {
    layouts.SoftmaxChannels: native("torch.softmax", rename=DIM),
    softmax.Softmax: native("torch.softmax", rename=DIM),
    softmax.LogSoftmax: native("torch.log_softmax", rename=DIM),
    softmax.Softmin: native("torch.nn.functional.softmin", rename=DIM),
    softmax.SoftmaxTemperature: built("torch.div + torch.softmax", softmax_temperature),
    softmax.MaskedSoftmax: built("torch.masked_fill + torch.softmax", masked_softmax),
    softmax.SoftmaxActivation: native("torch.softmax", dim=1),
}
