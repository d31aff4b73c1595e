"""PyTorch's recurrent layers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.framework import built
from opperf.operators import recurrent

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def lstm(call: Callable[..., Any], data: Any, *tensors: Any, training: bool) -> Step:
    """Bind one layer with biases, without dropout, in one direction, steps first."""
    *weights, hidden, cell = tensors
    layers, dropout, bidirectional, batch_first = 1, 0.0, False, False
    options = (True, layers, dropout, training, bidirectional, batch_first)
    return partial(call, data, (hidden, cell), weights, *options)


TABLE = {
    recurrent.LSTM: built("torch.lstm", lstm),
}
