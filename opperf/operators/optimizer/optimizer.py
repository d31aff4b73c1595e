"""Optimizer updates, which change weights and states in place; forward only.

Typical is a projection of BERT-large; skewed an embedding table of narrow rows. Rates are sums of
few powers of two: a framework may hold its attributes in float32, where 0.9 is off by 3e-8, which
float64 tensors would show.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape

SHAPES = {
    "small": (64, 64),
    "typical": (1024, 1024),
    "large": (4096, 4096),
    "skewed": (50257, 3),
}
WEIGHT = {"weight": Tensor(mutated=True), "grad": Tensor()}
SECOND_MOMENT = Tensor(low=0.25, high=4, mutated=True)


def sizes_of(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Shape]]:
    """Return the shapes by size: the weight's for every tensor."""
    return {size: dict.fromkeys(tensors, shape) for size, shape in SHAPES.items()}


def sgd_update(weight: Array, grad: Array, *, lr: float) -> Array:
    """Update: w -= lr * g."""
    return weight - lr * grad


def sgd_momentum_update(
    weight: Array, grad: Array, mom: Array, *, lr: float, momentum: float
) -> tuple[Array, Array]:
    """Update: v = momentum * v - lr * g; w += v (Polyak 1964)."""
    velocity = momentum * mom - lr * grad
    return weight + velocity, velocity


def adam_update(  # noqa: PLR0913 - four tensors and four rates by definition
    weight: Array, grad: Array, mean: Array, var: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Update: w -= lr * m / (sqrt(v) + epsilon) (Kingma and Ba 2015).

    Without bias correction, which after some thousand steps is 1.
    """
    first = beta1 * mean + (1 - beta1) * grad
    second = beta2 * var + (1 - beta2) * grad**2
    return weight - lr * first / (np.sqrt(second) + epsilon), first, second


def rmsprop_update(
    weight: Array, grad: Array, n: Array, *, lr: float, rho: float, epsilon: float
) -> tuple[Array, Array]:
    """Update: w -= lr * g / sqrt(mean(g^2) + epsilon) (Tieleman and Hinton 2012)."""
    square = rho * n + (1 - rho) * grad**2
    return weight - lr * grad / np.sqrt(square + epsilon), square


class Update(Declaration, abstract=True):
    """An update of `work` operations per element."""

    work: ClassVar[int]
    differentiable = False
    tolerance = CANCELING_TERMS.because("a step may nearly cancel the weight or the momentum")

    def outputs(self) -> tuple[Shape, ...]:
        """Return the weight's shape for the weight and each state."""
        shape = self.inputs["weight"]
        for name in self.tensors:
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as weight is")
        return (shape,) * sum(tensor.mutated for tensor in self.tensors.values())

    def flop_count(self) -> int:
        """Return the operations of the formula as written."""
        return self.work * prod(self.inputs["weight"])


class SGDUpdate(Update):
    """One step of SGD: w -= lr * g."""

    work = 2
    tensors = WEIGHT
    attributes = {"lr": 0.0078125}
    sizes = sizes_of(tensors)
    reference = sgd_update
    tags = ("core",)


class SGDMomentumUpdate(Update):
    """One step of SGD with momentum: v = momentum * v - lr * g; w += v."""

    work = 4
    tensors = WEIGHT | {"mom": Tensor(mutated=True)}
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = sgd_momentum_update


class AdamUpdate(Update):
    """One step of Adam: w -= lr * m / (sqrt(v) + epsilon), late in training."""

    work = 12
    tensors = WEIGHT | {"mean": Tensor(mutated=True), "var": SECOND_MOMENT}
    attributes = {"lr": 0.0009765625, "beta1": 0.875, "beta2": 0.9990234375, "epsilon": 1e-8}
    sizes = sizes_of(tensors)
    reference = adam_update
    tags = ("core",)


class RMSPropUpdate(Update):
    """One step of RMSProp: w -= lr * g / sqrt(mean(g^2) + epsilon)."""

    work = 9
    tensors = WEIGHT | {"n": SECOND_MOMENT}
    attributes = {"lr": 0.0009765625, "rho": 0.9375, "epsilon": 1e-8}
    sizes = sizes_of(tensors)
    reference = rmsprop_update
