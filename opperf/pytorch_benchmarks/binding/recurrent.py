"""PyTorch's recurrent layers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators.recurrent import recurrent

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def layer(call: Callable[..., Any], data: Any, *tensors: Any, training: bool) -> Step:
    """One layer with biases, without dropout, in one direction, steps first."""
    count = len(recurrent.PARAMETERS)
    weights, states = tensors[:count], tensors[count:]
    layers, dropout, bidirectional, batch_first = 1, 0.0, False, False
    options = (True, layers, dropout, training, bidirectional, batch_first)
    return partial(call, data, states if len(states) > 1 else states[0], weights, *options)


def cell(call: Callable[..., Any], data: Any, *tensors: Any) -> Step:
    """One step; PyTorch takes the states before the weights."""
    count = len(recurrent.PARAMETERS)
    weights, states = tensors[:count], tensors[count:]
    return partial(call, data, states if len(states) > 1 else states[0], *weights)


def cell_loop(
    call: Callable[..., Any], stack: Callable[..., Any], data: Any, *tensors: Any, training: bool
) -> Step:
    """A loop of cells over the steps, from the first state of the only layer."""
    del training  # there is no dropout
    count = len(recurrent.PARAMETERS)
    weights, states = tensors[:count], tensors[count:]

    def loop() -> Any:
        hidden, memory = (state[0] for state in states)
        found = []
        for step in data.unbind(0):
            hidden, memory = call(step, (hidden, memory), *weights)
            found.append(hidden)
        return stack(found), hidden.unsqueeze(0), memory.unsqueeze(0)

    return loop
