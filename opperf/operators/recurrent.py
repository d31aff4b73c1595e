"""Recurrent layers over a whole sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

GATES = 4


def sigmoid(x: Array) -> Array:
    """Return the logistic function."""
    result: Array = 1 / (1 + np.exp(-x))
    return result


def lstm_states(
    data: Array, weights: Sequence[Array], hidden: Array, cell: Array
) -> list[tuple[Array, ...]]:
    """Return gates, cell and hidden state of each step, gates as input, forget, cell, output."""
    by_input, by_hidden, bias_input, bias_hidden = weights
    states: list[tuple[Array, ...]] = []
    for x in data:
        sums = x @ by_input.T + bias_input + hidden @ by_hidden.T + bias_hidden
        i, f, g, o = np.split(sums, GATES, axis=-1)
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
    by_bias = sums.sum(axis=(0, 1))
    by_weights = (np.einsum("tng,tni->gi", sums, data), np.einsum("tng,tnh->gh", sums, inputs))
    return sums @ weights[0], *by_weights, by_bias, by_bias, by_hidden[None], by_cell[None]


def layer(steps: int, batch: int, features: int, units: int) -> dict[str, object]:
    """Return the shapes of one layer."""
    state, gates = (1, batch, units), GATES * units
    return {
        "data": (steps, batch, features),
        "i2h_weight": (gates, features),
        "h2h_weight": (gates, units),
        "i2h_bias": (gates,),
        "h2h_bias": (gates,),
        "hidden": state,
        "cell": state,
    }


class LSTM(Operator):
    """One unidirectional LSTM layer over a sequence (steps, batch, features).

    Typical is the layer of a small language model (32 steps, 16 sequences, 256 units); skewed a
    long sequence of one.
    """

    category = "recurrent"
    tensors = {
        "data": Tensor(),
        "i2h_weight": Tensor(low=-0.3, high=0.3),
        "h2h_weight": Tensor(low=-0.3, high=0.3),
        "i2h_bias": Tensor(low=-0.3, high=0.3),
        "h2h_bias": Tensor(low=-0.3, high=0.3),
        "hidden": Tensor(low=-1, high=1),
        "cell": Tensor(low=-1, high=1),
    }
    sizes = {
        "small": layer(4, 2, 8, 8),
        "typical": layer(32, 16, 256, 256),
        "large": layer(64, 64, 512, 512),
        "skewed": layer(101, 1, 7, 33),
    }
    reference = staticmethod(lstm)
    gradient = staticmethod(lstm_gradient)
    differentiable_outputs = (0, 1, 2)
    training_mode = True
    backward_work = 2

    def outputs(self) -> tuple[Shape, ...]:
        """Return the hidden states and the last hidden and cell state."""
        self.require_rank("data", 3)
        self.require_rank("hidden", 3)
        steps, batch, features = self.inputs["data"]
        units = self.inputs["hidden"][-1]
        for name, shape in layer(steps, batch, features, units).items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return (steps, batch, units), (1, batch, units), (1, batch, units)

    def flop_count(self) -> int:
        """Return the operations of the matrix products, which outweigh the gates."""
        steps, batch, features = self.inputs["data"]
        units = int(self.inputs["hidden"][-1])
        return 2 * GATES * int(steps) * int(batch) * units * (int(features) + units)
