"""Recurrent layers with gates: LSTM and GRU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.operators.recurrent.recurrent import (
    HIDDEN,
    Recurrent,
    by_layer,
    sigmoid,
    sizes_of,
    tensors_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array


def lstm_states(
    data: Array, weights: Sequence[Array], hidden: Array, cell: Array
) -> list[tuple[Array, ...]]:
    """Return gates, cell and hidden states of all steps; gates are input, forget, cell, output."""
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
    """Run one layer; return all hidden states, and the last hidden and cell state."""
    *weights, hidden, cell = tensors
    states = lstm_states(data, weights, hidden[0], cell[0])
    *_, last_cell, last_hidden = states[-1]
    return np.stack([state[-1] for state in states]), last_hidden[None], last_cell[None]


def lstm_gradient(cotangents: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Backpropagate through time."""
    *weights, first_hidden, first_cell = tensors
    states = lstm_states(data, weights, first_hidden[0], first_cell[0])
    by_output, by_hidden, by_cell = cotangents[0], cotangents[1][0], cotangents[2][0]
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
    """Return gates, reset part and hidden states of all steps; gates are reset, update, new.

    The reset gate multiplies the product with the hidden state (as in cuDNN), not the hidden state
    before that product (Cho et al. 2014, equation 8).
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
    """Run one layer; return all hidden states, and the last."""
    *weights, hidden = tensors
    states = np.stack([state[-1] for state in gru_states(data, weights, hidden[0])])
    return states, states[-1:]


def gru_gradient(cotangents: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Backpropagate through time."""
    *weights, first = tensors
    states = gru_states(data, weights, first[0])
    inputs = np.stack([first[0], *(state[-1] for state in states[:-1])])
    by_hidden = cotangents[1][0]
    by_sums = [(np.empty(0), np.empty(0))] * len(data)
    for t in reversed(range(len(data))):
        r, z, n, from_n, _ = states[t]
        by_hidden = by_hidden + cotangents[0][t]
        by_n = by_hidden * (1 - z) * (1 - n**2)
        by_gates = by_n * from_n * r * (1 - r), by_hidden * (inputs[t] - n) * z * (1 - z)
        by_sums[t] = np.hstack([*by_gates, by_n]), np.hstack([*by_gates, by_n * r])
        by_hidden = by_hidden * z + by_sums[t][1] @ weights[1]
    from_input, from_hidden = (np.stack(part) for part in zip(*by_sums, strict=True))
    return *by_layer(data, weights, inputs, from_input, from_hidden), by_hidden[None]


class LSTM(Recurrent):
    """c = f c + i g; h = o tanh(c) over a sequence: one unidirectional layer.

    Gers et al. 2000, without peepholes. In one call, and unrolled: a loop of cells, step by step.
    """

    fusable = True
    gates, states = 4, (*HIDDEN, "cell")
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = lstm
    gradient = lstm_gradient
    differentiable_outputs = (0, 1, 2)
    tags = ("core",)


class GRU(Recurrent):
    """h = (1 - z) n + z h over a sequence: one unidirectional layer (Cho et al. 2014)."""

    gates, states = 3, HIDDEN
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = gru
    gradient = gru_gradient
