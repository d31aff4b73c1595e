"""MXNet's recurrent layers."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.framework import Bound, built
from opperf.operators import recurrent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def lstm(
    call: Callable[..., Any], concat: Callable[..., Any], data: Any, *tensors: Any, training: bool
) -> Bound:
    """Bind one layer; MXNet takes weights and biases as one flat vector."""
    del training
    *weights, hidden, cell = tensors
    packed = concat(*(weight.reshape(-1) for weight in weights), dim=0)
    packed.attach_grad()
    options = {"mode": "lstm", "state_size": hidden.shape[-1], "num_layers": 1}
    step = partial(call, data, packed, hidden, cell, state_outputs=True, **options)
    shapes = [weight.shape for weight in weights]

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_packed, by_hidden, by_cell = gradients
        return by_data, *split(by_packed, shapes), by_hidden, by_cell

    return Bound(step, (data, packed, hidden, cell), unpack)


def split(packed: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return the parts of a flat vector in their own shapes."""
    parts, start = [], 0
    for shape in shapes:
        parts.append(packed[start : start + prod(shape)].reshape(shape))
        start += prod(shape)
    return parts


TABLE = {
    recurrent.LSTM: built("mxnet.nd.RNN + mxnet.nd.concat", lstm),
}
