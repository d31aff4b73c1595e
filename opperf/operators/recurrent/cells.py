"""The recurrent ReLU layer, and single steps of LSTM and GRU, as decoders take them."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.recurrent.gated import gru_states, lstm_states
from opperf.operators.recurrent.recurrent import (
    HIDDEN,
    PARAMETERS,
    Recurrent,
    sizes_of,
    tensors_of,
    through_time,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape

CELLS = {
    "small": (4, 8, 8),
    "typical": (64, 512, 512),
    "large": (256, 1024, 1024),
    "skewed": (1, 7, 9),
}
"""Samples, features and units. Typical is a decoder's layer of 512 units."""


def rnn_relu(data: Array, *tensors: Array) -> tuple[Array, Array]:
    """Run h = max(0, W x + U h + b) over the steps; return all h and the last."""
    by_input, by_hidden, bias_input, bias_hidden, hidden = tensors
    states = [hidden[0]]
    for x in data:
        sums = x @ by_input.T + bias_input + states[-1] @ by_hidden.T + bias_hidden
        states.append(np.maximum(sums, 0))
    return np.stack(states[1:]), states[-1][None]


def rnn_relu_gradient(
    cotangents: Sequence[Array], data: Array, *tensors: Array
) -> tuple[Array, ...]:
    """Backpropagate through time."""
    states, _ = rnn_relu(data, *tensors)
    return through_time(cotangents, data, tensors, states, (states > 0).astype(states.dtype))


class RNNReLU(Recurrent):
    """h = max(0, W x + U h + b) over a sequence: one unidirectional layer (Le et al. 2015)."""

    gates, states = 1, HIDDEN
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = rnn_relu
    gradient = rnn_relu_gradient
    dtypes = ("float64", "float32")

    def domains(self) -> Mapping[str, Tensor]:
        """Return weights under which no state grows, as ReLU is unbounded."""
        bound = 1 / sqrt(self.inputs["hidden"][-1])
        return {**self.tensors, **dict.fromkeys(PARAMETERS, Tensor(low=-bound, high=bound))}


def cell(gates: int, states: Sequence[str], dimensions: Shape) -> dict[str, Shape]:
    """Return the shapes of one step."""
    batch, features, units = dimensions
    rows = gates * units
    shapes = [(batch, features), (rows, features), (rows, units), (rows,), (rows,)]
    named = dict(zip(("data", *PARAMETERS), shapes, strict=True))
    return {**named, **dict.fromkeys(states, (batch, units))}


class Cell(Declaration, abstract=True):
    """One step from given states."""

    gates: ClassVar[int]
    states: ClassVar[Sequence[str]]
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def domains(self) -> Mapping[str, Tensor]:
        """Return weights that preserve the variance."""
        bound = 3 / sqrt(self.inputs["hidden"][-1])
        return {**self.tensors, **dict.fromkeys(PARAMETERS, Tensor(low=-bound, high=bound))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of each next state."""
        self.require_rank("data", 2)
        self.require_rank("hidden", 2)
        dimensions = (*self.inputs["data"], self.inputs["hidden"][1])
        for name, shape in cell(self.gates, self.states, dimensions).items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return (self.inputs["hidden"],) * len(self.states)

    def flop_count(self) -> int:
        """Return the operations of the matrix products, which dominate the gates'."""
        (rows, features), units = self.inputs["data"], self.inputs["hidden"][1]
        return 2 * self.gates * int(rows) * int(units) * int(features + units)


def lstm_cell(data: Array, *tensors: Array) -> tuple[Array, Array]:
    """Return the next hidden and cell state."""
    *weights, hidden, memory = tensors
    ((*_, next_cell, next_hidden),) = lstm_states(data[None], weights, hidden, memory)
    return next_hidden, next_cell


class LSTMCell(Cell):
    """One LSTM step: c = f c + i g; h = o tanh(c) (Gers et al. 2000, without peepholes)."""

    gates, states = 4, (*HIDDEN, "cell")
    tensors = tensors_of(states)
    sizes = {size: cell(4, ("hidden", "cell"), shape) for size, shape in CELLS.items()}
    reference = lstm_cell
    differentiable_outputs = (0, 1)


def gru_cell(data: Array, *tensors: Array) -> Array:
    """Return the next hidden state."""
    *weights, hidden = tensors
    ((*_, found),) = gru_states(data[None], weights, hidden)
    return found


class GRUCell(Cell):
    """One GRU step: h = (1 - z) n + z h (Cho et al. 2014)."""

    gates, states = 3, HIDDEN
    tensors = tensors_of(states)
    sizes = {size: cell(3, ("hidden",), shape) for size, shape in CELLS.items()}
    reference = gru_cell
