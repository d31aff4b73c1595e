"""PyTorch's callables for the operators of sequence, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.operators import sequence
from opperf.pytorch_benchmarks.binding.sequence import last, mask, pack

TABLE = {
    sequence.SequenceMask: built("torch.arange + torch.masked_fill", mask),
    sequence.SequenceLast: built("torch.Tensor.__getitem__ + torch.arange", last),
    sequence.PackPaddedSequence: built("torch.nn.utils.rnn.pack_padded_sequence", pack),
}
