"""MXNet's recurrent layers."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import Bound, built
from opperf.operators import recurrent, recurrent_cells, recurrent_gated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CALLS = "mxnet.nd.RNN + mxnet.nd.concat"


def layer(
    call: Callable[..., Any], concat: Callable[..., Any], data: Any, *tensors: Any,
    training: bool, mode: str,
) -> Bound:  # fmt: skip
    """Bind one layer; MXNet takes weights and biases as one flat vector, laid out beforehand."""
    del training  # the scope of recording decides
    count = len(recurrent.PARAMETERS)
    weights, states = tensors[:count], tensors[count:]
    packed = concat(*(weight.reshape(-1) for weight in weights), dim=0)
    packed.attach_grad()
    options = {"mode": mode, "state_size": states[0].shape[-1], "num_layers": 1}
    step = partial(call, data, packed, *states, state_outputs=True, **options)
    shapes = [weight.shape for weight in weights]

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_packed, *by_states = gradients
        return by_data, *split(by_packed, shapes), *by_states

    return Bound(step, (data, packed, *states), unpack)


def split(packed: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return the parts of a flat vector in their own shapes."""
    parts, start = [], 0
    for shape in shapes:
        parts.append(packed[start : start + prod(shape)].reshape(shape))
        start += prod(shape)
    return parts


TABLE = {
    recurrent.RNN: built(CALLS, partial(layer, mode="rnn_tanh")),
    recurrent_gated.LSTM: built(CALLS, partial(layer, mode="lstm")),
    recurrent_gated.GRU: built(CALLS, partial(layer, mode="gru")),
    recurrent_cells.RNNRelu: built(CALLS, partial(layer, mode="rnn_relu")),
}
