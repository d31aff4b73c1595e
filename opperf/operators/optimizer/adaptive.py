"""Adaptive optimizers: each element's step is scaled by its history.

Sizes and rates as in optimizer.py; bias corrections are those of a late step, which is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.optimizer.optimizer import SECOND_MOMENT, WEIGHT, Update, sizes_of

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array

STATE = Tensor(mutated=True)
MOMENTS = WEIGHT | {"mean": STATE, "var": SECOND_MOMENT}
BETAS = {"beta1": 0.875, "beta2": 0.9990234375, "epsilon": 1e-8}


def decay(state: Array, value: Array, rate: float) -> Array:
    """Return rate * old + (1 - rate) * new."""
    return rate * state + (1 - rate) * value


def adamw_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, mean: Array, var: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float, wd: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Adam's step with decoupled weight decay (Loshchilov and Hutter 2019)."""
    first, second = decay(mean, grad, beta1), decay(var, grad**2, beta2)
    step = first / (np.sqrt(second) + epsilon) + wd * weight
    return weight - lr * step, first, second


class AdamWUpdate(Update):
    """One step of AdamW, late in training."""

    work = 15
    tensors = MOMENTS
    attributes = {"lr": 0.0009765625, **BETAS, "wd": 0.0078125}
    sizes = sizes_of(tensors)
    reference = adamw_update
    tags = ("core",)


def adagrad_update(
    weight: Array, grad: Array, history: Array, *, lr: float, epsilon: float
) -> tuple[Array, Array]:
    """Update: w -= lr * g / sqrt(sum(g^2)) (Duchi et al. 2011)."""
    total = history + grad**2
    return weight - lr * grad / (np.sqrt(total) + epsilon), total


class AdagradUpdate(Update):
    """One step of Adagrad: w -= lr * g / sqrt(sum(g^2))."""

    work = 7
    tensors = WEIGHT | {"history": SECOND_MOMENT}
    attributes = {"lr": 0.0078125, "epsilon": 1e-10}
    sizes = sizes_of(tensors)
    reference = adagrad_update


def adadelta_update(
    weight: Array, grad: Array, square: Array, delta: Array, *, rho: float, epsilon: float
) -> tuple[Array, Array, Array]:
    """Update: w -= sqrt(mean(delta^2)) / sqrt(mean(g^2)) * g (Zeiler 2012)."""
    squares = decay(square, grad**2, rho)
    step = np.sqrt(delta + epsilon) / np.sqrt(squares + epsilon) * grad
    return weight - step, squares, decay(delta, step**2, rho)


class AdadeltaUpdate(Update):
    """One step of Adadelta: w -= sqrt(mean(delta^2)) / sqrt(mean(g^2)) * g."""

    work = 14
    tensors = WEIGHT | {"square": SECOND_MOMENT, "delta": SECOND_MOMENT}
    attributes = {"rho": 0.9375, "epsilon": 1e-6}
    sizes = sizes_of(tensors)
    reference = adadelta_update


def centered_rmsprop_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, n: Array, g: Array, delta: Array,
    *, lr: float, rho: float, momentum: float, epsilon: float,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Update: w -= lr * g / sqrt(mean(g^2) - mean(g)^2), with momentum (Graves 2013, eq. 38-45)."""
    square, mean = decay(n, grad**2, rho), decay(g, grad, rho)
    step = momentum * delta - lr * grad / np.sqrt(square - mean**2 + epsilon)
    return weight + step, square, mean, step


class CenteredRMSPropUpdate(Update):
    """One step of centered RMSProp with momentum."""

    work = 16
    tensors = WEIGHT | {
        "n": Tensor(low=2, high=4, mutated=True),
        "g": Tensor(low=-1, high=1, mutated=True),
        "delta": STATE,
    }
    attributes = {"lr": 0.0009765625, "rho": 0.9375, "momentum": 0.875, "epsilon": 1e-8}
    sizes = sizes_of(tensors)
    reference = centered_rmsprop_update


def ftml_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, d: Array, v: Array, z: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float, t: int,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Follow the moving leader (Zheng and Kwok 2017, algorithm 1)."""
    square = decay(v, grad**2, beta2)
    root = np.sqrt(square / (1 - beta2**t))
    scale = (1 - beta1**t) / lr * (root + epsilon)
    leader = decay(z, grad, beta1) - (scale - beta1 * d) * weight
    return -leader / scale, scale, square, leader


class FTMLUpdate(Update):
    """One step of FTML (follow the moving leader), after `t` steps."""

    work = 18
    tensors = WEIGHT | {"d": SECOND_MOMENT, "v": SECOND_MOMENT, "z": STATE}
    attributes = {"lr": 0.0078125, **BETAS, "t": 100000}
    sizes = sizes_of(tensors)
    reference = ftml_update


def ftrl_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, z: Array, n: Array,
    *, lr: float, lamda1: float, beta: float, wd: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Follow the regularized leader (McMahan et al. 2013, algorithm 1)."""
    square = n + grad**2
    leader = z + grad - (np.sqrt(square) - np.sqrt(n)) * weight / lr
    step = (np.sign(leader) * lamda1 - leader) / ((beta + np.sqrt(square)) / lr + wd)
    return step * (np.abs(leader) > lamda1), leader, square


class FTRLUpdate(Update):
    """One step of FTRL (follow the regularized leader)."""

    work = 18
    tensors = WEIGHT | {"z": STATE, "n": SECOND_MOMENT}
    attributes = {"lr": 0.125, "lamda1": 0.0078125, "beta": 1.0, "wd": 0.0078125}
    sizes = sizes_of(tensors)
    reference = ftrl_update
    tolerance = CANCELING_SUMS.because("z less its threshold, of three terms each rounded")


def adamax_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, mean: Array, largest: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Update: w -= lr * m / max(beta2 * u, |g|) (Kingma and Ba 2015, algorithm 2)."""
    first = decay(mean, grad, beta1)
    second = np.maximum(beta2 * largest, np.abs(grad) + epsilon)
    return weight - lr * first / second, first, second


class AdamaxUpdate(Update):
    """One step of Adamax: Adam with the infinity norm, late in training."""

    work = 9
    tensors = WEIGHT | {"mean": STATE, "largest": SECOND_MOMENT}
    attributes = {"lr": 0.0009765625, **BETAS}
    sizes = sizes_of(tensors)
    reference = adamax_update


def nadam_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, mean: Array, var: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Adam's step with Nesterov's momentum (Dozat 2016)."""
    first, second = decay(mean, grad, beta1), decay(var, grad**2, beta2)
    step = decay(first, grad, beta1) / (np.sqrt(second) + epsilon)
    return weight - lr * step, first, second


class NAdamUpdate(Update):
    """One step of NAdam: Adam with Nesterov's momentum, late in training."""

    work = 15
    tensors = MOMENTS
    attributes = {"lr": 0.0009765625, **BETAS}
    sizes = sizes_of(tensors)
    reference = nadam_update


def radam_update(  # noqa: PLR0913 - tensors and attributes by definition
    weight: Array, grad: Array, mean: Array, var: Array,
    *, lr: float, beta1: float, beta2: float, epsilon: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Adam's step: late in training the rectification is 1 (Liu et al. 2020)."""
    first, second = decay(mean, grad, beta1), decay(var, grad**2, beta2)
    return weight - lr * first / (np.sqrt(second) + epsilon), first, second


class RAdamUpdate(Update):
    """One step of rectified Adam, late in training."""

    work = 13
    tensors = MOMENTS
    attributes = {"lr": 0.0009765625, **BETAS}
    sizes = sizes_of(tensors)
    reference = radam_update
