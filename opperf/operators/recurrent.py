"""Recurrent layers over a whole sequence (steps, batch, features), from given states.

One layer, one direction, two biases. Typical is the layer of a small language model (32 steps, 16
sequences, 256 units); skewed a long sequence of one.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensor import Array, Shape

LAYERS = {
    "small": (4, 2, 8, 8),
    "typical": (32, 16, 256, 256),
    "large": (64, 64, 512, 512),
    "skewed": (101, 1, 7, 33),
}
"""Steps, batch, features and units."""
HIDDEN = ("hidden",)
PARAMETERS = ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias")


def sigmoid(x: Array) -> Array:
    """Return the logistic function."""
    result: Array = 1 / (1 + np.exp(-x))
    return result


def by_layer(
    data: Array, weights: Sequence[Array], before: Array, by_input: Array, by_hidden: Array
) -> tuple[Array, ...]:
    """Return the gradients by data and parameters.

    `before` holds the hidden state that each step started from; `by_input` and `by_hidden` are the
    gradients by what input and hidden state add to the gates: (steps, batch, gates x units).
    """
    return (
        by_input @ weights[0],
        np.einsum("tng,tni->gi", by_input, data),
        np.einsum("tng,tnh->gh", by_hidden, before),
        by_input.sum(axis=(0, 1)),
        by_hidden.sum(axis=(0, 1)),
    )


def rnn(data: Array, *tensors: Array) -> tuple[Array, Array]:
    """Run one layer; return every hidden state, and the last (Elman 1990)."""
    by_input, by_hidden, bias_input, bias_hidden, hidden = tensors
    states = [hidden[0]]
    for x in data:
        sums = x @ by_input.T + bias_input + states[-1] @ by_hidden.T + bias_hidden
        states.append(np.tanh(sums))
    return np.stack(states[1:]), states[-1][None]


def rnn_gradient(seeds: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Propagate back through time."""
    states, _ = rnn(data, *tensors)
    return through_time(seeds, data, tensors, states, 1 - states**2)


def through_time(
    seeds: Sequence[Array], data: Array, tensors: Sequence[Array], states: Array, slopes: Array
) -> tuple[Array, ...]:
    """Return the gradients of simple units from their states and the slopes there."""
    *weights, first = tensors
    sums = np.empty_like(states)
    by_hidden = seeds[1][0]
    for t in reversed(range(len(data))):
        sums[t] = (by_hidden + seeds[0][t]) * slopes[t]
        by_hidden = sums[t] @ weights[1]
    before = np.concatenate([first, states[:-1]])
    return *by_layer(data, weights, before, sums, sums), by_hidden[None]


def lstm_states(
    data: Array, weights: Sequence[Array], hidden: Array, cell: Array
) -> list[tuple[Array, ...]]:
    """Return gates, cell and hidden state of each step, gates as input, forget, cell, output."""
    by_input, by_hidden, bias_input, bias_hidden = weights
    states: list[tuple[Array, ...]] = []
    for x in data:
        sums = x @ by_input.T + bias_input + hidden @ by_hidden.T + bias_hidden
        i, f, g, o = np.split(sums, 4, axis=-1)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        cell = f * cell + i * g
        hidden = o * np.tanh(cell)
        states.append((i, f, g, o, cell, hidden))
    return states


def lstm(data: Array, *tensors: Array) -> tuple[Array, Array, Array]:
    """Run one layer; return every hidden state, and the last hidden and cell state."""
    *weights, hidden, cell = tensors
    states = lstm_states(data, weights, hidden[0], cell[0])
    *_, last_cell, last_hidden = states[-1]
    return np.stack([state[-1] for state in states]), last_hidden[None], last_cell[None]


def lstm_gradient(seeds: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Propagate back through time."""
    *weights, first_hidden, first_cell = tensors
    states = lstm_states(data, weights, first_hidden[0], first_cell[0])
    by_output, by_hidden, by_cell = seeds[0], seeds[1][0], seeds[2][0]
    by_sums = [np.empty(0)] * len(data)
    for t in reversed(range(len(data))):
        i, f, g, o, cell, _ = states[t]
        before = states[t - 1][4] if t else first_cell[0]
        by_hidden = by_hidden + by_output[t]
        by_cell = by_cell + by_hidden * o * (1 - np.tanh(cell) ** 2)
        parts = (
            by_cell * g * i * (1 - i),
            by_cell * before * f * (1 - f),
            by_cell * i * (1 - g**2),
            by_hidden * np.tanh(cell) * o * (1 - o),
        )
        by_sums[t] = np.concatenate(parts, axis=-1)
        by_cell = by_cell * f
        by_hidden = by_sums[t] @ weights[1]
    sums = np.stack(by_sums)
    inputs = np.stack([first_hidden[0], *(state[-1] for state in states[:-1])])
    return *by_layer(data, weights, inputs, sums, sums), by_hidden[None], by_cell[None]


def gru_states(data: Array, weights: Sequence[Array], hidden: Array) -> list[tuple[Array, ...]]:
    """Return gates, reset part and hidden state of each step, gates as reset, update, new.

    The reset gate multiplies the product with the hidden state (as in cuDNN and both frameworks),
    not the hidden state before that product (Cho et al. 2014, equation 8).
    """
    by_input, by_hidden, bias_input, bias_hidden = weights
    states: list[tuple[Array, ...]] = []
    for x in data:
        r, z, n = np.split(x @ by_input.T + bias_input, 3, axis=-1)
        from_r, from_z, from_n = np.split(hidden @ by_hidden.T + bias_hidden, 3, axis=-1)
        r, z = sigmoid(r + from_r), sigmoid(z + from_z)
        n = np.tanh(n + r * from_n)
        hidden = (1 - z) * n + z * hidden
        states.append((r, z, n, from_n, hidden))
    return states


def gru(data: Array, *tensors: Array) -> tuple[Array, Array]:
    """Run one layer; return every hidden state, and the last."""
    *weights, hidden = tensors
    states = np.stack([state[-1] for state in gru_states(data, weights, hidden[0])])
    return states, states[-1:]


def gru_gradient(seeds: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Propagate back through time."""
    *weights, first = tensors
    states = gru_states(data, weights, first[0])
    inputs = np.stack([first[0], *(state[-1] for state in states[:-1])])
    by_hidden = seeds[1][0]
    by_sums = [(np.empty(0), np.empty(0))] * len(data)
    for t in reversed(range(len(data))):
        r, z, n, from_n, _ = states[t]
        by_hidden = by_hidden + seeds[0][t]
        by_n = by_hidden * (1 - z) * (1 - n**2)
        by_gates = by_n * from_n * r * (1 - r), by_hidden * (inputs[t] - n) * z * (1 - z)
        by_sums[t] = np.hstack([*by_gates, by_n]), np.hstack([*by_gates, by_n * r])
        by_hidden = by_hidden * z + by_sums[t][1] @ weights[1]
    from_input, from_hidden = (np.stack(part) for part in zip(*by_sums, strict=True))
    return *by_layer(data, weights, inputs, from_input, from_hidden), by_hidden[None]


def layer(gates: int, states: Sequence[str], dimensions: Shape) -> dict[str, Shape]:
    """Return the shapes of one layer of steps, batch, features and units."""
    steps, batch, features, units = dimensions
    rows, state = gates * units, (1, batch, units)
    shapes = [(steps, batch, features), (rows, features), (rows, units), (rows,), (rows,)]
    return dict(zip(("data", *PARAMETERS), shapes, strict=True), **dict.fromkeys(states, state))


def sizes_of(gates: int, states: Sequence[str]) -> dict[str, dict[str, Shape]]:
    """Return the shapes of a layer with these states, by size."""
    return {size: layer(gates, states, dimensions) for size, dimensions in LAYERS.items()}


def tensors_of(states: Sequence[str]) -> dict[str, Tensor]:
    """Return the tensors of a layer with these states."""
    state = Tensor(low=-1, high=1)
    return {**dict.fromkeys(("data", *PARAMETERS), Tensor()), **dict.fromkeys(states, state)}


class Recurrent(Operator):
    """One layer, whose parameters are those of so many gates."""

    gates: ClassVar[int]
    states: ClassVar[Sequence[str]]
    differentiable_outputs: tuple[int, ...] = (0, 1)
    training_mode = True
    backward_work = 2

    def domains(self) -> Mapping[str, Tensor]:
        """Return weights that keep the variance: neither vanishing nor chaotic over many steps."""
        bound = 3 / sqrt(self.inputs["hidden"][-1])
        return {**self.tensors, **dict.fromkeys(PARAMETERS, Tensor(low=-bound, high=bound))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return every hidden state and the last of each state."""
        self.require_rank("data", 3)
        self.require_rank("hidden", 3)
        steps, batch, features = self.inputs["data"]
        units = self.inputs["hidden"][-1]
        for name, shape in layer(self.gates, self.states, (steps, batch, features, units)).items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return (steps, batch, units), *(((1, batch, units),) * len(self.states))

    def flop_count(self) -> int:
        """Return the operations of the matrix products, which outweigh the gates."""
        features, units = self.inputs["data"][-1], self.inputs["hidden"][-1]
        return 2 * self.gates * prod(self.inputs["data"][:2]) * units * (features + units)


class RNN(Recurrent):
    """One unidirectional layer of tanh units (Elman 1990)."""

    gates, states = 1, HIDDEN
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = staticmethod(rnn)
    gradient = staticmethod(rnn_gradient)


class LSTM(Recurrent):
    """One unidirectional LSTM layer (Gers et al. 2000, without peepholes)."""

    gates, states = 4, (*HIDDEN, "cell")
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = staticmethod(lstm)
    gradient = staticmethod(lstm_gradient)
    differentiable_outputs = (0, 1, 2)
    tags = ("core",)


class GRU(Recurrent):
    """One unidirectional GRU layer (Cho et al. 2014)."""

    gates, states = 3, HIDDEN
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = staticmethod(gru)
    gradient = staticmethod(gru_gradient)
