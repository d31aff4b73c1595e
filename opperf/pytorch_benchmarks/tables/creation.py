"""PyTorch's callables for the operators of creation, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.creation import creation, filling, ranges
from opperf.pytorch_benchmarks.binding.creation import all_of, create, window

TABLE = {
    creation.Zeros: built("torch.zeros", create),
    creation.Ones: built("torch.ones", create),
    creation.ZerosLike: native("torch.zeros_like"),
    creation.OnesLike: native("torch.ones_like"),
    creation.Full: built("torch.full", create),
    creation.Arange: built("torch.arange", create),
    filling.FullLike: native("torch.full_like", rename={"value": "fill_value"}),
    filling.Fill: native("torch.Tensor.fill_"),
    filling.Zero: native("torch.Tensor.zero_"),
    filling.MultiZero: built("torch._foreach_zero_", all_of),
    ranges.LinSpace: built("torch.linspace", create),
    ranges.LogSpace: built("torch.logspace", create),
    ranges.Eye: built("torch.eye", create),
    ranges.Blackman: built("torch.blackman_window", window),
    ranges.Hamming: built("torch.hamming_window", window),
    ranges.Hanning: built("torch.hann_window", window),
    ranges.TrilIndices: built("torch.tril_indices", create),
    ranges.TriuIndices: built("torch.triu_indices", create),
}
