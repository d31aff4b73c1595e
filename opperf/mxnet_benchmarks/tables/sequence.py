"""MXNet's callables for the operators of sequence, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators import sequence

TABLE = {
    sequence.SequenceMask: native("mxnet.nd.SequenceMask", use_sequence_length=True, value=0.0),
    sequence.SequenceLast: native("mxnet.nd.SequenceLast", use_sequence_length=True),
    sequence.SequenceReverse: native("mxnet.nd.SequenceReverse", use_sequence_length=True),
}
