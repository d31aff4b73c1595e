"""Sign-based, Nesterov and layer-wise scaled optimizers; sizes as in optimizer.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.optimizer.adaptive import STATE, decay
from opperf.operators.optimizer.optimizer import SECOND_MOMENT, SHAPES, WEIGHT, Update, sizes_of

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def nag_update(
    weight: Array, grad: Array, mom: Array, *, lr: float, momentum: float
) -> tuple[Array, Array]:
    """Update: v = momentum * v - lr * g; w += momentum * v - lr * g (Sutskever et al. 2013)."""
    velocity = momentum * mom - lr * grad
    return weight + momentum * velocity - lr * grad, velocity


class NAGUpdate(Update):
    """One step of SGD with Nesterov's momentum."""

    work = 7
    tensors = WEIGHT | {"mom": STATE}
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = nag_update


def signsgd_update(weight: Array, grad: Array, *, lr: float) -> Array:
    """Update: w -= lr * sign(g) (Bernstein et al. 2018)."""
    return weight - lr * np.sign(grad)


class SignSGDUpdate(Update):
    """One step of signSGD: w -= lr * sign(g)."""

    work = 2
    tensors = WEIGHT
    attributes = {"lr": 0.0078125}
    sizes = sizes_of(tensors)
    reference = signsgd_update


def signum_update(
    weight: Array, grad: Array, mom: Array, *, lr: float, momentum: float
) -> tuple[Array, Array]:
    """Update: m = momentum * m - (1 - momentum) * g; w += lr * sign(m) (Bernstein et al. 2018)."""
    velocity = decay(mom, -grad, momentum)
    return weight + lr * np.sign(velocity), velocity


class SignumUpdate(Update):
    """One step of Signum: signSGD with momentum."""

    work = 5
    tensors = WEIGHT | {"mom": STATE}
    attributes = {"lr": 0.0078125, "momentum": 0.875}
    sizes = sizes_of(tensors)
    reference = signum_update


def rprop_update(
    weight: Array, grad: Array, before: Array, step: Array, *, shrink: float, grow: float
) -> tuple[Array, Array, Array]:
    """Step by the sign of g; grow the step while the sign stays (Riedmiller and Braun 1993)."""
    agreement = np.sign(grad * before)
    factor = np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1))
    length = np.clip(step * factor, LEAST_STEP, MOST_STEP)
    kept = np.where(agreement < 0, 0, grad)
    return weight - np.sign(kept) * length, kept, length


LEAST_STEP, MOST_STEP = 1e-6, 50.0


class RpropUpdate(Update):
    """One step of Rprop (resilient backpropagation)."""

    work = 6
    tensors = WEIGHT | {"before": STATE, "step": SECOND_MOMENT}
    attributes = {"shrink": 0.5, "grow": 1.25}
    sizes = sizes_of(tensors)
    reference = rprop_update


def lamb_direction(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, mean: Array, var: Array, g: Array,
    *, beta1: float, beta2: float, epsilon: float, t: int, wd: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return Adam's direction with weight decay (You et al. 2020, algorithm 2)."""
    del g  # it is written only
    first, second = decay(mean, grad, beta1), decay(var, grad**2, beta2)
    root = np.sqrt(second / (1 - beta2**t)) + epsilon
    return first, second, first / (1 - beta1**t) / root + wd * weight


class LAMBPhase1(Update):
    """The first phase of LAMB: moments and direction `g`, after `t` steps."""

    work = 14
    tensors = {
        "weight": Tensor(),
        "grad": Tensor(),
        "mean": STATE,
        "var": SECOND_MOMENT,
        "g": STATE,
    }
    attributes = {
        "beta1": 0.875, "beta2": 0.9990234375, "epsilon": 1e-6, "t": 100000, "wd": 0.0078125,
    }  # fmt: skip
    sizes = sizes_of(tensors)
    unread = {"g": "overwritten"}
    reference = lamb_direction


def lamb_step(weight: Array, g: Array, r1: Array, r2: Array, *, lr: float) -> Array:
    """Update: w -= lr * ||w|| / ||g|| * g (You et al. 2020)."""
    return weight - lr * r1 / r2 * g


class LAMBPhase2(Update):
    """The second phase of LAMB: w -= lr * ||w|| / ||g|| * g."""

    work = 2
    tensors = {
        "weight": STATE,
        "g": Tensor(),
        "r1": Tensor(low=1, high=4),
        "r2": Tensor(low=1, high=4),
    }
    attributes = {"lr": 0.0078125}
    sizes = {
        size: {"weight": shape, "g": shape, "r1": (1,), "r2": (1,)}
        for size, shape in SHAPES.items()
    }
    reference = lamb_step

    def outputs(self) -> tuple[Shape, ...]:
        """Return the weight's shape."""
        shape = self.inputs["weight"]
        for name, expected in {"g": shape, "r1": (1,), "r2": (1,)}.items():
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        return (shape,)


def lars_rates(
    lrs: Array, weights_sum_sq: Array, grads_sum_sq: Array, wds: Array, *, eta: float, eps: float
) -> Array:
    """Return lr * eta * ||w|| / (||g|| + wd * ||w|| + eps) (You et al. 2017, equation 6)."""
    weights, grads = np.sqrt(weights_sum_sq), np.sqrt(grads_sum_sq)
    return lrs * eta * weights / (grads + wds * weights + eps)


LAYERWISE = {
    "lrs": Tensor(low=0.125, high=1),
    "weights_sum_sq": Tensor(low=0.25, high=4),
    "grads_sum_sq": Tensor(low=0.25, high=4),
    "wds": Tensor(low=0, high=0.125),
}


class MultiLARS(Declaration):
    """The LARS learning rates of many layers. Typical are ResNet-50's 161 parameters."""

    tensors = LAYERWISE
    attributes = {"eta": 0.0009765625, "eps": 1e-8}
    sizes = {
        size: dict.fromkeys(LAYERWISE, (count,))
        for size, count in {"small": 16, "typical": 161, "large": 4096, "skewed": 1}.items()
    }
    reference = lars_rates
    dtypes = ("float32",)
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return one rate per layer."""
        self.require_rank("lrs", 1)
        shape = self.inputs["lrs"]
        for name in self.tensors:
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as lrs is")
        return (shape,)

    def flop_count(self) -> int:
        """Return eight operations per layer."""
        return 8 * int(self.inputs["lrs"][0])
