"""Optimizer updates of float16 weights with float32 master weights.

Weights and gradients are float16, and all arithmetic is float32: values on a grid of 1/64 make
every step exact, so that the rounding is determined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import Tensor
from opperf.operators.optimizer.multi import (
    WEIGHTS,
    MultiWeightUpdate,
    bottleneck,
    multi_update,
    numbered_tensors,
)
from opperf.operators.optimizer.optimizer import Update, sgd_momentum_update, sgd_update, sizes_of
from opperf.operators.optimizer.step import nag_update

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from opperf.core.tensors.tensor import Array, Shape


GRID = 64


def on_grid(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw multiples of 1/64 between -2 and 2."""
    del low, high
    return random.integers(-2 * GRID, 2 * GRID, shape) / GRID


HALF = {
    "weight": Tensor(dtype="float16", mutated=True, initializer=on_grid),
    "grad": Tensor(dtype="float16", initializer=on_grid),
}

VELOCITY = {"mom": Tensor(mutated=True, initializer=on_grid)}

MASTER = {"weight32": Tensor(mutated=True, initializer=on_grid)}


def mixed_sgd_update(weight: Array, grad: Array, weight32: Array, *, lr: float) -> Any:
    """Update the master weight, and round it to the float16 weight."""
    del weight  # it is written only
    master = sgd_update(weight32, grad.astype(weight32.dtype), lr=lr)
    return master.astype(grad.dtype), master


def mixed_momentum_update(update: Callable[..., tuple[Array, Array]]) -> Any:
    """Return an update with momentum, of master and float16 weight."""

    def mixed_update(
        weight: Array, grad: Array, mom: Array, weight32: Array, **rates: float
    ) -> tuple[Array, Array, Array]:
        del weight  # it is written only
        master, velocity = update(weight32, grad.astype(weight32.dtype), mom, **rates)
        return master.astype(grad.dtype), velocity, master

    return mixed_update


class MixedUpdate(Update, abstract=True):
    """An update of a float16 weight and gradient, with float32 states."""

    dtypes = ("float32",)
    unread: ClassVar[Mapping[str, str]] = {"weight": "overwritten"}

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the dtypes of the changed tensors."""
        return tuple(t.dtype or self.dtype for t in self.tensors.values() if t.mutated)


class MixedSGDUpdate(MixedUpdate):
    """One SGD step of a float16 weight with a float32 master."""

    work = 2
    tensors = HALF | MASTER
    attributes = {"lr": 0.0078125}
    sizes = sizes_of(tensors)
    reference = mixed_sgd_update


class MixedSGDMomentumUpdate(MixedUpdate):
    """One SGD step with momentum of a float16 weight with a float32 master."""

    work = 4
    tensors = HALF | VELOCITY | MASTER
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = mixed_momentum_update(sgd_momentum_update)


class MixedNAGUpdate(MixedUpdate):
    """One SGD step with Nesterov momentum of a float16 weight with a float32 master."""

    work = 7
    tensors = HALF | VELOCITY | MASTER
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = mixed_momentum_update(nag_update)


class MultiWeightMixedUpdate(MultiWeightUpdate, MixedUpdate, abstract=True):
    """An update of several float16 weights, with float32 masters, in one call."""

    unread = {f"weight{at}": "overwritten" for at in range(WEIGHTS)}


class MultiMixedSGDUpdate(MultiWeightMixedUpdate):
    """One SGD step of three float16 weights with float32 masters."""

    work = 2
    one = HALF | MASTER
    tensors = numbered_tensors(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = multi_update(mixed_sgd_update, 3)


class MultiMixedSGDMomentumUpdate(MultiWeightMixedUpdate):
    """One SGD step with momentum of three float16 weights with float32 masters."""

    work = 4
    one = HALF | VELOCITY | MASTER
    tensors = numbered_tensors(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = multi_update(mixed_momentum_update(sgd_momentum_update), 4)


class PreloadedMultiMixedSGDUpdate(MultiMixedSGDUpdate):
    """MultiMixedSGDUpdate with the rates in tensors."""


class PreloadedMultiMixedSGDMomentumUpdate(MultiMixedSGDMomentumUpdate):
    """MultiMixedSGDMomentumUpdate with the rates in tensors."""
