"""MXNet's recurrent layers."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall
from opperf.operators.recurrent import recurrent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step


STEP = " + ".join(
    f"mxnet.nd.{name}" for name in ("FullyConnected", "SliceChannel", "sigmoid", "tanh")
)


def layer(
    call: Callable[..., Any], concat: Callable[..., Any], data: Any, *tensors: Any,
    training: bool, mode: str,
) -> BoundCall:  # fmt: skip
    """One recurrent layer; weights and biases are one flat vector, made beforehand."""
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

    return BoundCall(step, (data, packed, *states), unpack)


def split(packed: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return the parts of a flat vector in their own shapes."""
    parts, start = [], 0
    for shape in shapes:
        parts.append(packed[start : start + prod(shape)].reshape(shape))
        start += prod(shape)
    return parts


def cell_loop(  # noqa: PLR0913 - calls, then tensors and attributes
    dense: Callable[..., Any], split_up: Callable[..., Any], sigmoid: Callable[..., Any],
    tanh: Callable[..., Any], stack: Callable[..., Any], data: Any, *tensors: Any, training: bool,
) -> Step:  # fmt: skip
    """A loop over the steps of the calls in gluon.rnn.LSTMCell."""
    del training  # the scope of recording decides
    by_input, by_hidden, bias_input, bias_hidden, first_hidden, first_memory = tensors
    steps, units = len(data), {"num_hidden": len(bias_input)}

    def loop() -> Any:
        hidden, memory = (state.reshape(state.shape[1:]) for state in (first_hidden, first_memory))
        found = []
        rows = split_up(data, num_outputs=steps, axis=0, squeeze_axis=True)
        for row in rows if steps > 1 else [rows]:
            sums = dense(row, by_input, bias_input, **units)
            sums = sums + dense(hidden, by_hidden, bias_hidden, **units)
            i, f, g, o = split_up(sums, num_outputs=4)
            memory = sigmoid(f) * memory + sigmoid(i) * tanh(g)
            hidden = sigmoid(o) * tanh(memory)
            found.append(hidden)
        last = (state.reshape((1, *state.shape)) for state in (hidden, memory))
        return stack(*found), *last

    return loop


def lstm_cell(  # noqa: PLR0913, PLR0917 - calls, then tensors
    dense: Callable[..., Any], split_up: Callable[..., Any], sigmoid: Callable[..., Any],
    tanh: Callable[..., Any], data: Any, by_input: Any, by_hidden: Any, bias_input: Any,
    bias_hidden: Any, hidden: Any, memory: Any,
) -> Step:  # fmt: skip
    """The calls of gluon.rnn.LSTMCell."""
    units = {"num_hidden": len(bias_input)}

    def step() -> Any:
        sums = dense(data, by_input, bias_input, **units)
        sums = sums + dense(hidden, by_hidden, bias_hidden, **units)
        i, f, g, o = split_up(sums, num_outputs=4)
        found = sigmoid(f) * memory + sigmoid(i) * tanh(g)
        return sigmoid(o) * tanh(found), found

    return step


def gru_cell(  # noqa: PLR0913, PLR0917 - calls, then tensors
    dense: Callable[..., Any], split_up: Callable[..., Any], sigmoid: Callable[..., Any],
    tanh: Callable[..., Any], data: Any, by_input: Any, by_hidden: Any, bias_input: Any,
    bias_hidden: Any, hidden: Any,
) -> Step:  # fmt: skip
    """The calls of gluon.rnn.GRUCell."""
    units = {"num_hidden": len(bias_input)}

    def step() -> Any:
        from_data = split_up(dense(data, by_input, bias_input, **units), num_outputs=3)
        from_state = split_up(dense(hidden, by_hidden, bias_hidden, **units), num_outputs=3)
        reset, update = (sigmoid(a + b) for a, b in zip(from_data[:2], from_state[:2], strict=True))
        new = tanh(from_data[2] + reset * from_state[2])
        return (1.0 - update) * new + update * hidden

    return step
