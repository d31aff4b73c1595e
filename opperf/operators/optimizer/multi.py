"""Optimizer updates of several weights, in one call or in a loop of one call each.

Typical are the weights of the first bottleneck of ResNet-50 without its projection; the rates are
the same for all.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import Tensor
from opperf.operators.optimizer.adaptive import BETAS, STATE, adamw_update
from opperf.operators.optimizer.optimizer import (
    SECOND_MOMENT,
    Update,
    sgd_momentum_update,
    sgd_update,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.tensors.tensor import Array, Shape


WEIGHTS = 3

BOTTLENECK: Mapping[str, tuple[Shape, ...]] = {
    "small": ((16, 16), (16, 3, 3), (16,)),
    "typical": ((64, 64), (64, 64, 3, 3), (256, 64)),
    "large": ((512, 2048), (512, 512, 3, 3), (2048, 512)),
    "skewed": ((1,), (3,), (50257, 3)),
}


def multi_update(reference: Callable[..., Any], tensors: int) -> Any:
    """Return the update of several weights from the update of one."""

    def update(*arrays: Array, **attributes: float) -> tuple[Array, ...]:
        groups = [arrays[at : at + tensors] for at in range(0, WEIGHTS * tensors, tensors)]
        found = [reference(*group, **attributes) for group in groups]
        return tuple(a for one in found for a in (one if isinstance(one, tuple) else (one,)))

    return update


def numbered_tensors(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors of each weight, numbered."""
    return {f"{name}{at}": tensor for at in range(WEIGHTS) for name, tensor in tensors.items()}


def bottleneck(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Shape]]:
    """Return the shapes by size."""
    return {
        size: {f"{name}{at}": shapes[at] for at in range(WEIGHTS) for name in tensors}
        for size, shapes in BOTTLENECK.items()
    }


class MultiWeightUpdate(Update, abstract=True):
    """An update of several weights; tensors are ordered weight by weight."""

    one: ClassVar[Mapping[str, Tensor]]

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of each weight and of each of its states."""
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


class MultiSGDUpdate(MultiWeightUpdate):
    """One SGD step of three weights."""

    fusable = True
    work = 2
    one = {"weight": STATE, "grad": Tensor()}
    tensors = numbered_tensors(one)
    attributes = {"lr": 0.0078125}
    sizes = bottleneck(one)
    reference = multi_update(sgd_update, 2)


class MultiSGDMomentumUpdate(MultiWeightUpdate):
    """One SGD step with momentum of three weights."""

    fusable = True
    work = 4
    one = {"weight": STATE, "grad": Tensor(), "mom": STATE}
    tensors = numbered_tensors(one)
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = bottleneck(one)
    reference = multi_update(sgd_momentum_update, 3)


class MultiAdamWUpdate(MultiWeightUpdate):
    """One step of AdamW for three weights, late in training."""

    fusable = True
    work = 15
    one = {"weight": STATE, "grad": Tensor(), "mean": STATE, "var": SECOND_MOMENT}
    tensors = numbered_tensors(one)
    attributes = {"lr": 0.0009765625, **BETAS, "wd": 0.0078125}
    sizes = bottleneck(one)
    reference = multi_update(adamw_update, 4)


class PreloadedMultiSGDUpdate(MultiSGDUpdate):
    """MultiSGDUpdate with the rates in tensors, which a graph may compute."""

    fusable = False


class PreloadedMultiSGDMomentumUpdate(MultiSGDMomentumUpdate):
    """MultiSGDMomentumUpdate with the rates in tensors."""

    fusable = False
