"""Losses: one value per sample, the mean over all axes but the first.

Labels get no gradient. Predictions are compared with labels of their shape at the element-wise
sizes.
"""

from __future__ import annotations

from functools import wraps
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def sample_mean(value: Callable[..., Array]) -> Any:
    """Return the loss that averages an element-wise loss over each sample."""

    @wraps(value)
    def loss(pred: Array, label: Array, **attributes: float) -> Array:
        result: Array = value(pred, label, **attributes).reshape(len(pred), -1).mean(axis=1)
        return result

    return loss


def sample_mean_gradient(slope: Callable[..., Array]) -> Any:
    """Return that loss's gradient from the element-wise derivative by the prediction."""

    def gradient(
        cotangents: Sequence[Array], pred: Array, label: Array, **attributes: float
    ) -> tuple[Array]:
        share = cotangents[0].reshape(-1, *[1] * (pred.ndim - 1)) * len(pred) / pred.size
        return (share * slope(pred, label, **attributes),)

    return gradient


def absolute(pred: Array, label: Array) -> Array:
    """|pred - label|."""
    return np.abs(pred - label)


def half_square(pred: Array, label: Array) -> Array:
    """(pred - label)^2 / 2."""
    return (pred - label) ** 2 / 2


def cross_entropy(pred: Array, label: Array) -> Array:
    """-label log(p) - (1 - label) log(1 - p) for p = sigmoid(pred), without overflow."""
    return np.maximum(pred, 0) - pred * label + np.log1p(np.exp(-np.abs(pred)))


def cross_entropy_slope(pred: Array, label: Array) -> Array:
    """sigmoid(pred) - label, without overflow."""
    return (1 + np.tanh(pred / 2)) / 2 - label


def huber(pred: Array, label: Array, *, rho: float) -> Array:
    """d^2 / (2 rho) up to |d| = rho, then |d| - rho / 2 (Huber 1964, divided by rho)."""
    distance = np.abs(pred - label)
    return np.where(distance > rho, distance - rho / 2, distance**2 / (2 * rho))


def huber_slope(pred: Array, label: Array, *, rho: float) -> Array:
    """clip(d / rho, -1, 1)."""
    return np.clip((pred - label) / rho, -1, 1)


class PairedLoss(Declaration, abstract=True):
    """A loss of predictions and labels of the same shape."""

    work: ClassVar[int]
    tensors = {"pred": Tensor(), "label": Tensor(differentiable=False)}
    sizes = {size: {"pred": shape, "label": shape} for size, shape in SHAPES.items()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        shape = self.inputs["pred"]
        self.require_least_rank("pred", 2)
        self.require(self.inputs["label"] == shape, "label", f"must be {shape}, as pred is")
        return (shape[:1],)

    def flop_count(self) -> int:
        """Return the `work` of the formula per element, and one operation for the mean."""
        return (self.work + 1) * prod(self.inputs["pred"])


class L1Loss(PairedLoss):
    """mean(|pred - label|) per sample."""

    work = 2
    reference = sample_mean(absolute)
    gradient = sample_mean_gradient(lambda pred, label: np.sign(pred - label))


class L2Loss(PairedLoss):
    """mean((pred - label)^2) / 2 per sample."""

    work = 2
    reference = sample_mean(half_square)
    gradient = sample_mean_gradient(np.subtract)
    tags = ("core",)
    tolerance = ROUNDED_STEPS
    gradient_tolerance = tolerance


class SigmoidBinaryCrossEntropyLoss(PairedLoss):
    """The mean binary cross-entropy of logits per sample; labels lie between 0 and 1.

    Maximum, product, difference, absolute value, negation, exponential, logarithm and two sums.
    """

    work = 9
    tensors = {"pred": Tensor(), "label": Tensor(low=0, high=1, differentiable=False)}
    reference = sample_mean(cross_entropy)
    gradient = sample_mean_gradient(cross_entropy_slope)
    gradient_tolerance = CANCELING_TERMS.because(
        "sigmoid(x) less the label, which may be nearly equal"
    )


class HuberLoss(PairedLoss):
    """The mean of d^2 / (2 rho) up to |d| = rho and of |d| - rho / 2 beyond, per sample.

    This is Huber's loss divided by rho; with rho = 1 it is Huber's own.
    """

    work = 4
    attributes = {"rho": 1.0}
    reference = sample_mean(huber)
    gradient = sample_mean_gradient(huber_slope)

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        self.require(self.inputs["rho"] > 0, "rho", "must be positive")
        return super().outputs()
