"""Losses: one value a sample, the mean over all axes but the first, as MXNet's Gluon has them.

Labels get no gradient: training asks for none. Predictions are compared with labels of their shape
at the element-wise sizes.
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


def averaged(value: Callable[..., Array]) -> Any:
    """Return the loss that averages a value an element over each sample."""

    @wraps(value)
    def loss(pred: Array, label: Array, **attributes: float) -> Array:
        result: Array = value(pred, label, **attributes).reshape(len(pred), -1).mean(axis=1)
        return result

    return loss


def averaged_gradient(slope: Callable[..., Array]) -> Any:
    """Return the gradient of such a loss from the value's derivative by the prediction."""

    def gradient(
        cotangents: Sequence[Array], pred: Array, label: Array, **attributes: float
    ) -> tuple[Array]:
        share = cotangents[0].reshape(-1, *[1] * (pred.ndim - 1)) * len(pred) / pred.size
        return (share * slope(pred, label, **attributes),)

    return gradient


def absolute(pred: Array, label: Array) -> Array:
    """Return the distance."""
    return np.abs(pred - label)


def half_square(pred: Array, label: Array) -> Array:
    """Return half the squared distance, whose derivative is the distance itself."""
    return (pred - label) ** 2 / 2


def cross_entropy(pred: Array, label: Array) -> Array:
    """Return -label log(p) - (1 - label) log(1 - p) for p = sigmoid(pred), without overflow."""
    return np.maximum(pred, 0) - pred * label + np.log1p(np.exp(-np.abs(pred)))


def cross_entropy_slope(pred: Array, label: Array) -> Array:
    """Return sigmoid(pred) - label, the sigmoid without overflow."""
    return (1 + np.tanh(pred / 2)) / 2 - label


def huber(pred: Array, label: Array, *, rho: float) -> Array:
    """Return a parabola up to the distance rho and a line beyond (Huber 1964, divided by rho)."""
    distance = np.abs(pred - label)
    return np.where(distance > rho, distance - rho / 2, distance**2 / (2 * rho))


def huber_slope(pred: Array, label: Array, *, rho: float) -> Array:
    """Return the distance in units of rho, cut off at one."""
    return np.clip((pred - label) / rho, -1, 1)


class Paired(Declaration, abstract=True):
    """A loss of predictions by labels of their shape."""

    work: ClassVar[int]
    tensors = {"pred": Tensor(), "label": Tensor(differentiable=False)}
    sizes = {size: {"pred": shape, "label": shape} for size, shape in SHAPES.items()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value a sample."""
        shape = self.inputs["pred"]
        self.require_least_rank("pred", 2)
        self.require(self.inputs["label"] == shape, "label", f"must be {shape}, as pred is")
        return (shape[:1],)

    def flop_count(self) -> int:
        """Return the operations an element: the value's, which `work` counts, and one of a mean."""
        return (self.work + 1) * prod(self.inputs["pred"])


class L1Loss(Paired):
    """The mean distance."""

    work = 2
    reference = averaged(absolute)
    gradient = averaged_gradient(lambda pred, label: np.sign(pred - label))


class L2Loss(Paired):
    """Half the mean squared distance."""

    work = 2
    reference = averaged(half_square)
    gradient = averaged_gradient(np.subtract)
    tags = ("core",)
    tolerance = ROUNDED_STEPS
    gradient_tolerance = tolerance


class SigmoidBinaryCrossEntropyLoss(Paired):
    """The mean binary cross-entropy of logits; labels lie between 0 and 1.

    Maximum, product, difference, absolute value, negation, exponential, logarithm and two sums.
    """

    work = 9
    tensors = {"pred": Tensor(), "label": Tensor(low=0, high=1, differentiable=False)}
    reference = averaged(cross_entropy)
    gradient = averaged_gradient(cross_entropy_slope)
    gradient_tolerance = CANCELING_TERMS.because(
        "sigmoid(x) less the label, which may be nearly equal"
    )


class HuberLoss(Paired):
    """The mean of a parabola near zero and a line farther off.

    Divided by rho, as in MXNet and torch's smooth_l1_loss; the same as torch's huber_loss for 1.
    """

    work = 4
    attributes = {"rho": 1.0}
    reference = averaged(huber)
    gradient = averaged_gradient(huber_slope)

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value a sample."""
        self.require(self.inputs["rho"] > 0, "rho", "must be positive")
        return super().outputs()
