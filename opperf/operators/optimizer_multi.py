"""Optimizer updates of several weights in one call, and of half-precision weights by their master.

Typical are the weights of the first bottleneck of ResNet-50 without its projection; the rates are
the same for all. Of the mixed ones weights and gradients are float16, and all that is computed is
float32: values on a grid of 1/64 make every step exact, so that the rounding is determined.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.limitation import Limitation
from opperf.core.tensor import Tensor
from opperf.operators.absence import ONLY_MXNET
from opperf.operators.optimizer import (
    SECOND_MOMENT,
    Update,
    sgd_momentum_update,
    sgd_update,
    sizes_of,
)
from opperf.operators.optimizer_adaptive import BETAS, STATE, adamw_update
from opperf.operators.optimizer_step import nag_update

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from opperf.core.tensor import Array, Shape

CATEGORY = "optimizer"
WEIGHTS = 3
BOTTLENECK: Mapping[str, tuple[Shape, ...]] = {
    "small": ((16, 16), (16, 3, 3), (16,)),
    "typical": ((64, 64), (64, 64, 3, 3), (256, 64)),
    "large": ((512, 2048), (512, 512, 3, 3), (2048, 512)),
    "skewed": ((1,), (3,), (50257, 3)),
}
GRID = 64


def on_grid(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw multiples of 1/64 between -2 and 2."""
    del low, high
    return random.integers(-2 * GRID, 2 * GRID, shape) / GRID


def several(reference: Callable[..., Any], tensors: int) -> Any:
    """Return the update of several weights, each with so many tensors, from that of one."""

    def update(*arrays: Array, **attributes: float) -> tuple[Array, ...]:
        groups = [arrays[at : at + tensors] for at in range(0, WEIGHTS * tensors, tensors)]
        found = [reference(*group, **attributes) for group in groups]
        return tuple(a for one in found for a in (one if isinstance(one, tuple) else (one,)))

    return staticmethod(update)


def repeated(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors of each weight under names with its number."""
    return {f"{name}{at}": tensor for at in range(WEIGHTS) for name, tensor in tensors.items()}


def bottleneck(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Shape]]:
    """Return the shapes by size."""
    return {
        size: {f"{name}{at}": shapes[at] for at in range(WEIGHTS) for name in tensors}
        for size, shapes in BOTTLENECK.items()
    }


class Several(Update):
    """An update of several weights, whose tensors follow each other weight by weight."""

    one: ClassVar[Mapping[str, Tensor]]

    def outputs(self) -> tuple[Shape, ...]:
        """Return each weight's shape, for it and for each of its states."""
        found = []
        for at in range(WEIGHTS):
            shape = self.inputs[f"weight{at}"]
            for name, tensor in self.one.items():
                label = f"{name}{at}"
                self.require(self.inputs[label] == shape, label, f"must be {shape}")
                found += [shape] if tensor.mutated else []
        return tuple(found)

    def flop_count(self) -> int:
        """Return the operations of the formula as written."""
        return self.work * sum(prod(self.inputs[f"weight{at}"]) for at in range(WEIGHTS))


class MultiSGDUpdate(Several):
    """One step of stochastic gradient descent for three weights."""

    work = 2
    one = {"weight": STATE, "grad": Tensor()}
    tensors = repeated(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = several(sgd_update, 2)


class MultiSGDMomentumUpdate(Several):
    """One step of stochastic gradient descent with momentum for three weights."""

    work = 4
    one = {"weight": STATE, "grad": Tensor(), "mom": STATE}
    tensors = repeated(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = several(sgd_momentum_update, 3)


class MultiAdamWUpdate(Several):
    """One step of Adam with decoupled weight decay for three weights, late in training."""

    work = 15
    one = {"weight": STATE, "grad": Tensor(), "mean": STATE, "var": SECOND_MOMENT}
    tensors = repeated(one)
    attributes = {"lr": 0.0009765625, **BETAS, "wd": 0.0078125}
    sizes = bottleneck(one)
    reference = several(adamw_update, 4)
    limitations = (
        Limitation(
            framework="mxnet",
            dtypes=("float64", "float16"),
            words="of the scale",
            note="it reads the scale of gradients as a float32, and finds another number",
        ),
    )


class PreloadedMultiSGDUpdate(Several):
    """The same as MultiSGDUpdate, with the rates in tensors, which a graph may compute."""

    work = 2
    one = {"weight": STATE, "grad": Tensor()}
    tensors = repeated(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = several(sgd_update, 2)
    limitations = ONLY_MXNET


class PreloadedMultiSGDMomentumUpdate(Several):
    """The same as MultiSGDMomentumUpdate, with the rates in tensors."""

    work = 4
    one = {"weight": STATE, "grad": Tensor(), "mom": STATE}
    tensors = repeated(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = several(sgd_momentum_update, 3)
    limitations = ONLY_MXNET


HALF = {
    "weight": Tensor(dtype="float16", mutated=True, initializer=on_grid),
    "grad": Tensor(dtype="float16", initializer=on_grid),
}
VELOCITY = {"mom": Tensor(mutated=True, initializer=on_grid)}
MASTER = {"weight32": Tensor(mutated=True, initializer=on_grid)}


def mixed_sgd_update(weight: Array, grad: Array, weight32: Array, *, lr: float) -> Any:
    """Step with the master, and round it to the weight."""
    del weight  # it is written only
    master = sgd_update(weight32, grad.astype(weight32.dtype), lr=lr)
    return master.astype(grad.dtype), master


def mixed(update: Callable[..., tuple[Array, Array]]) -> Any:
    """Return the same of an update with momentum."""

    def mixed_update(
        weight: Array, grad: Array, mom: Array, weight32: Array, **rates: float
    ) -> tuple[Array, Array, Array]:
        del weight  # it is written only
        master, velocity = update(weight32, grad.astype(weight32.dtype), mom, **rates)
        return master.astype(grad.dtype), velocity, master

    return mixed_update


class MixedUpdate(Update):
    """An update whose weight and gradient are float16, and whose states are float32."""

    dtypes = ("float32",)
    limitations = ONLY_MXNET

    def output_dtypes(self) -> tuple[str, ...]:
        """Return those of what is changed."""
        return tuple(t.dtype or self.dtype for t in self.tensors.values() if t.mutated)


class MixedSGDUpdate(MixedUpdate):
    """One step of gradient descent of a float16 weight by its float32 master."""

    work = 2
    tensors = HALF | MASTER
    attributes = {"lr": 0.0078125}
    sizes = sizes_of(tensors)
    reference = staticmethod(mixed_sgd_update)


class MixedSGDMomentumUpdate(MixedUpdate):
    """One step with momentum of a float16 weight by its float32 master."""

    work = 4
    tensors = HALF | VELOCITY | MASTER
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = staticmethod(mixed(sgd_momentum_update))


class MixedNAGUpdate(MixedUpdate):
    """One step with Nesterov's momentum of a float16 weight by its float32 master."""

    work = 7
    tensors = HALF | VELOCITY | MASTER
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = staticmethod(mixed(nag_update))


class MixedSeveral(Several, MixedUpdate):
    """Several of them."""

    limitations = ONLY_MXNET


class MultiMixedSGDUpdate(MixedSeveral):
    """One step of gradient descent of three float16 weights by their float32 masters."""

    work = 2
    one = HALF | MASTER
    tensors = repeated(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = several(mixed_sgd_update, 3)


class MultiMixedSGDMomentumUpdate(MixedSeveral):
    """One step with momentum of three float16 weights by their float32 masters."""

    work = 4
    one = HALF | VELOCITY | MASTER
    tensors = repeated(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = several(mixed(sgd_momentum_update), 4)


class PreloadedMultiMixedSGDUpdate(MixedSeveral):
    """The same as MultiMixedSGDUpdate, with the rates in tensors."""

    work = 2
    one = HALF | MASTER
    tensors = repeated(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = several(mixed_sgd_update, 3)


class PreloadedMultiMixedSGDMomentumUpdate(MixedSeveral):
    """The same as MultiMixedSGDMomentumUpdate, with the rates in tensors."""

    work = 4
    one = HALF | VELOCITY | MASTER
    tensors = repeated(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = several(mixed(sgd_momentum_update), 4)
