"""Recurrent layers over a whole sequence (steps, batch, features), from given states.

One layer, one direction, two biases. Typical is the layer of a small language model (32 steps, 16
sequences, 256 units); skewed is one long sequence.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


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
    """1 / (1 + exp(-x))."""
    result: Array = 1 / (1 + np.exp(-x))
    return result


def by_layer(
    data: Array, weights: Sequence[Array], before: Array, by_input: Array, by_hidden: Array
) -> tuple[Array, ...]:
    """Return the gradients by data and parameters.

    `before` holds the hidden state before each step; `by_input` and `by_hidden` are the gradients
    by the contributions of input and hidden state to the gates: (steps, batch, gates x units).
    """
    return (
        by_input @ weights[0],
        np.einsum("tng,tni->gi", by_input, data),
        np.einsum("tng,tnh->gh", by_hidden, before),
        by_input.sum(axis=(0, 1)),
        by_hidden.sum(axis=(0, 1)),
    )


def rnn(data: Array, *tensors: Array) -> tuple[Array, Array]:
    """Run h = tanh(W x + U h + b) over the steps; return all h and the last (Elman 1990)."""
    by_input, by_hidden, bias_input, bias_hidden, hidden = tensors
    states = [hidden[0]]
    for x in data:
        sums = x @ by_input.T + bias_input + states[-1] @ by_hidden.T + bias_hidden
        states.append(np.tanh(sums))
    return np.stack(states[1:]), states[-1][None]


def rnn_gradient(cotangents: Sequence[Array], data: Array, *tensors: Array) -> tuple[Array, ...]:
    """Backpropagate through time."""
    states, _ = rnn(data, *tensors)
    return through_time(cotangents, data, tensors, states, 1 - states**2)


def through_time(
    cotangents: Sequence[Array], data: Array, tensors: Sequence[Array], states: Array, slopes: Array
) -> tuple[Array, ...]:
    """Return the gradients of a layer without gates from its states and slopes."""
    *weights, first = tensors
    sums = np.empty_like(states)
    by_hidden = cotangents[1][0]
    for t in reversed(range(len(data))):
        sums[t] = (by_hidden + cotangents[0][t]) * slopes[t]
        by_hidden = sums[t] @ weights[1]
    before = np.concatenate([first, states[:-1]])
    return *by_layer(data, weights, before, sums, sums), by_hidden[None]


def layer(gates: int, states: Sequence[str], dimensions: Shape) -> dict[str, Shape]:
    """Return the shapes of one layer."""
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


class Recurrent(Declaration, abstract=True):
    """One layer with the parameters of `gates` gates."""

    gates: ClassVar[int]
    states: ClassVar[Sequence[str]]
    differentiable_outputs: tuple[int, ...] = (0, 1)
    training_mode = True
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def domains(self) -> Mapping[str, Tensor]:
        """Return weights that preserve the variance over many steps."""
        bound = 3 / sqrt(self.inputs["hidden"][-1])
        return {**self.tensors, **dict.fromkeys(PARAMETERS, Tensor(low=-bound, high=bound))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of all hidden states and of the last of each state."""
        self.require_rank("data", 3)
        self.require_rank("hidden", 3)
        steps, batch, features = self.inputs["data"]
        units = self.inputs["hidden"][-1]
        for name, shape in layer(self.gates, self.states, (steps, batch, features, units)).items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return (steps, batch, units), *(((1, batch, units),) * len(self.states))

    def flop_count(self) -> int:
        """Return the operations of the matrix products, which dominate the gates'."""
        features, units = self.inputs["data"][-1], self.inputs["hidden"][-1]
        return 2 * self.gates * prod(self.inputs["data"][:2]) * units * (features + units)


class RNN(Recurrent):
    """h = tanh(W x + U h + b) over a sequence: one unidirectional layer (Elman 1990)."""

    gates, states = 1, HIDDEN
    tensors = tensors_of(states)
    sizes = sizes_of(gates, states)
    reference = rnn
    gradient = rnn_gradient
