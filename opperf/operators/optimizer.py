"""Optimizer updates: weights changed in place, nothing to differentiate."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from opperf.core.tensor import Array, Shape


def sgd_update(weight: Array, grad: Array, *, lr: float) -> Array:
    """Step against the gradient."""
    return weight - lr * grad


class SGDUpdate(Operator):
    """One step of stochastic gradient descent.

    Typical is a projection of BERT-large; skewed an embedding table of narrow rows.
    """

    category = "optimizer"
    tensors = {"weight": Tensor(mutated=True), "grad": Tensor()}
    attributes = {"lr": 0.01}
    sizes = {
        "small": {"weight": (64, 64), "grad": (64, 64)},
        "typical": {"weight": (1024, 1024), "grad": (1024, 1024)},
        "large": {"weight": (4096, 4096), "grad": (4096, 4096)},
        "skewed": {"weight": (50257, 3), "grad": (50257, 3)},
    }
    reference = staticmethod(sgd_update)
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return the weight's shape."""
        shape = self.inputs["weight"]
        self.require(self.inputs["grad"] == shape, "grad", f"must be {shape}, as weight is")
        return (shape,)

    def flop_count(self) -> int:
        """Return a multiplication and a subtraction an element."""
        return 2 * prod(self.inputs["weight"])
