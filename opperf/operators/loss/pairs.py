"""Further losses of predictions and labels of the same shape.

Slopes are the derivatives by the prediction; sizes are the element-wise ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary, chain
from opperf.operators.loss.loss import PairedLoss, sample_mean, sample_mean_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def signs(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw -1 or 1."""
    del low, high
    return random.choice([-1.0, 1.0], shape)


EXACT = ("float64", "float32")
"""Dtypes in which values hardly ever fall on a kink, and sums lose little."""
SIGN = Tensor(low=-1, high=1, differentiable=False, initializer=signs)
POSITIVE = Tensor(low=0.25, high=4)
SHARE = Tensor(low=0.05, high=0.95)


def smooth_l1(data: Array, *, scalar: float) -> Array:
    """(scalar data)^2 / 2 up to |data| = 1 / scalar^2, then |data| - 1 / (2 scalar^2)."""
    size = np.abs(data)
    return np.where(size < scalar**-2, (scalar * data) ** 2 / 2, size - scalar**-2 / 2)


def smooth_l1_slope(data: Array, *, scalar: float) -> Array:
    """clip(scalar^2 data, -1, 1)."""
    return np.clip(scalar**2 * data, -1, 1)


class SmoothL1(Unary):
    """(scalar data)^2 / 2 up to |data| = 1 / scalar^2, then |data| - 1 / (2 scalar^2)."""

    attributes = {"scalar": 1.0}
    reference = smooth_l1
    gradient = chain(smooth_l1_slope)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] > 0, "scalar", "must be positive")
        return super().outputs()


def hinge(pred: Array, label: Array) -> Array:
    """max(0, 1 - label * pred)."""
    return np.maximum(1 - pred * label, 0)


class HingeLoss(PairedLoss):
    """mean(max(0, 1 - label * pred)) per sample, with labels of 1 or -1."""

    work = 3
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = sample_mean(hinge)
    gradient = sample_mean_gradient(lambda pred, label: np.where(pred * label < 1, -label, 0))


def squared_hinge(pred: Array, label: Array) -> Array:
    """max(0, 1 - label * pred)^2."""
    return hinge(pred, label) ** 2


class SquaredHingeLoss(PairedLoss):
    """mean(max(0, 1 - label * pred)^2) per sample, with labels of 1 or -1."""

    work = 4
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = sample_mean(squared_hinge)
    gradient = sample_mean_gradient(lambda pred, label: -2 * label * hinge(pred, label))
    tolerance = ROUNDED_STEPS
    gradient_tolerance = tolerance


def logistic(pred: Array, label: Array) -> Array:
    """log(1 + exp(-label * pred)), without overflow."""
    return np.logaddexp(0, -pred * label)


def logistic_slope(pred: Array, label: Array) -> Array:
    """-label * sigmoid(-label * pred)."""
    return -label * (1 - np.tanh(pred * label / 2)) / 2


class LogisticLoss(PairedLoss):
    """mean(log(1 + exp(-label * pred))) per sample, with labels of 1 or -1."""

    work = 5
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = sample_mean(logistic)
    gradient = sample_mean_gradient(logistic_slope)


def binary_cross_entropy(pred: Array, label: Array) -> Array:
    """-label log(pred) - (1 - label) log(1 - pred)."""
    return -label * np.log(pred) - (1 - label) * np.log(1 - pred)


class BinaryCrossEntropyLoss(PairedLoss):
    """The mean binary cross-entropy of probabilities per sample; labels lie between 0 and 1."""

    work = 8
    tensors = {"pred": SHARE, "label": Tensor(low=0, high=1, differentiable=False)}
    reference = sample_mean(binary_cross_entropy)
    gradient = sample_mean_gradient(lambda pred, label: (pred - label) / (pred * (1 - pred)))
    gradient_tolerance = CANCELING_TERMS.because(
        "the output less the label, which may be nearly equal"
    )


def kl_div(pred: Array, label: Array) -> Array:
    """sum(label * (log(label) - pred)) per sample."""
    return (label * (np.log(label) - pred)).sum(axis=1)


def kl_div_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return -cotangent * label."""
    del pred
    return (-cotangents[0][:, None] * label,)


class KLDivLoss(PairedLoss):
    """sum(label * (log(label) - pred)) per sample, for log-probabilities."""

    work = 3
    tensors = {"pred": Tensor(high=0), "label": Tensor(low=0.05, high=1, differentiable=False)}
    reference = kl_div
    gradient = kl_div_gradient
    dtypes = EXACT
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        self.require_rank("pred", 2)
        return super().outputs()


def poisson_nll(pred: Array, label: Array) -> Array:
    """mean(exp(pred) - label * pred), as a tensor of one element."""
    return (np.exp(pred) - label * pred).mean().reshape(1)


def poisson_nll_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return cotangent * (exp(pred) - label) / size."""
    return (cotangents[0] * (np.exp(pred) - label) / pred.size,)


class PoissonNLLLoss(PairedLoss):
    """mean(exp(pred) - label * pred), with logarithms of rates and counts."""

    work = 3
    tensors = {
        "pred": Tensor(low=-1, high=1),
        "label": Tensor(low=0, high=4, differentiable=False),
    }
    reference = poisson_nll
    gradient = poisson_nll_gradient
    dtypes = EXACT
    gradient_tolerance = CANCELING_TERMS.because(
        "the output less the label, which may be nearly equal"
    )

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value."""
        super().outputs()
        return ((1,),)


def gaussian_nll(pred: Array, label: Array, variance: Array) -> Array:
    """(log(variance) + (pred - label)^2 / variance) / 2."""
    return (np.log(variance) + (pred - label) ** 2 / variance) / 2


def gaussian_nll_mean(pred: Array, label: Array, variance: Array) -> Any:
    """Return the mean of `gaussian_nll` per sample."""
    return gaussian_nll(pred, label, variance).mean(axis=1)


def gaussian_nll_gradient(
    cotangents: Sequence[Array], pred: Array, label: Array, variance: Array
) -> tuple[Array, Array]:
    """Differentiate by prediction and variance."""
    share = cotangents[0][:, None] / pred.shape[1]
    off = (pred - label) / variance
    return share * off, share * (1 / variance - off**2) / 2


class GaussianNLLLoss(PairedLoss):
    """mean(log(variance) + (pred - label)^2 / variance) / 2 per sample."""

    work = 5
    tensors = {"pred": Tensor(), "label": Tensor(differentiable=False), "variance": POSITIVE}
    sizes = {size: {**s, "variance": s["pred"]} for size, s in PairedLoss.sizes.items()}
    reference = gaussian_nll_mean
    gradient = gaussian_nll_gradient
    gradient_tolerance = CANCELING_TERMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        shape = self.inputs["pred"]
        self.require(self.inputs["variance"] == shape, "variance", f"must be {shape}")
        self.require_rank("pred", 2)
        return super().outputs()


def hinge_embedding(pred: Array, label: Array) -> Array:
    """Return label = 1 ? pred : max(0, 1 - pred)."""
    return np.where(label > 0, pred, np.maximum(1 - pred, 0))


class HingeEmbeddingLoss(PairedLoss):
    """mean(label = 1 ? pred : max(0, 1 - pred)) per sample, with labels of 1 or -1."""

    work = 2
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = sample_mean(hinge_embedding)
    dtypes = EXACT
    gradient = sample_mean_gradient(
        lambda pred, label: np.where(label > 0, 1, np.where(pred < 1, -1, 0))
    )
    tolerance = CANCELING_SUMS


class MakeLoss(Unary):
    """data: the identity that marks its input as a loss.

    Its backward starts from ones regardless of the incoming gradient: that is no derivative, so
    only the forward is measured.
    """

    reference = np.copy
    differentiable = False
    flops_per_element = 0  # elements are copied
