"""Losses of predictions by labels of their shape, beyond those of loss.py, whose rules they share.

Slopes are those by the prediction. Where MXNet has no block the loss is PyTorch's, each sample's
mean taken beside it; sizes are the element-wise ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary, chain
from opperf.operators.loss.loss import Paired, averaged, averaged_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def signs(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw -1 or 1."""
    del low, high
    return random.choice([-1.0, 1.0], shape)


EXACT = ("float64", "float32")
"""Dtypes in which hardly a value meets a kink, and sums lose little."""
SIGN = Tensor(low=-1, high=1, differentiable=False, initializer=signs)
POSITIVE = Tensor(low=0.25, high=4)
SHARE = Tensor(low=0.05, high=0.95)


def smooth_l1(data: Array, *, scalar: float) -> Array:
    """Return a parabola near zero and a line farther off (Girshick 2015, equation 3)."""
    size = np.abs(data)
    return np.where(size < scalar**-2, (scalar * data) ** 2 / 2, size - scalar**-2 / 2)


def smooth_l1_slope(data: Array, *, scalar: float) -> Array:
    """Return the derivative."""
    return np.clip(scalar**2 * data, -1, 1)


class SmoothL1(Unary):
    """A parabola near zero and a line farther off, of each distance."""

    category = "loss"
    attributes = {"scalar": 1.0}
    reference = smooth_l1
    gradient = chain(smooth_l1_slope)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] > 0, "scalar", "must be positive")
        return super().outputs()


def hinge(pred: Array, label: Array) -> Array:
    """Return by how much a product falls short of 1."""
    return np.maximum(1 - pred * label, 0)


class HingeLoss(Paired):
    """The mean by which predictions, times labels of 1 or -1, fall short of 1."""

    work = 3
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = averaged(hinge)
    gradient = averaged_gradient(lambda pred, label: np.where(pred * label < 1, -label, 0))


def squared_hinge(pred: Array, label: Array) -> Array:
    """Return its square."""
    return hinge(pred, label) ** 2


class SquaredHingeLoss(Paired):
    """The mean square by which predictions, times labels of 1 or -1, fall short of 1."""

    work = 4
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = averaged(squared_hinge)
    gradient = averaged_gradient(lambda pred, label: -2 * label * hinge(pred, label))
    tolerance = ROUNDED_STEPS
    gradient_tolerance = tolerance


def logistic(pred: Array, label: Array) -> Array:
    """Return log(1 + exp(-label pred)) without overflow."""
    return np.logaddexp(0, -pred * label)


def logistic_slope(pred: Array, label: Array) -> Array:
    """Return the derivative."""
    return -label * (1 - np.tanh(pred * label / 2)) / 2


class LogisticLoss(Paired):
    """The mean logistic loss of logits, with labels of 1 or -1: torch's soft margin loss."""

    work = 5
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = averaged(logistic)
    gradient = averaged_gradient(logistic_slope)


def binary_cross_entropy(pred: Array, label: Array) -> Array:
    """Return -label log(pred) - (1 - label) log(1 - pred)."""
    return -label * np.log(pred) - (1 - label) * np.log(1 - pred)


class BinaryCrossEntropyLoss(Paired):
    """The mean binary cross-entropy of probabilities; labels lie between 0 and 1."""

    work = 8
    tensors = {"pred": SHARE, "label": Tensor(low=0, high=1, differentiable=False)}
    reference = averaged(binary_cross_entropy)
    gradient = averaged_gradient(lambda pred, label: (pred - label) / (pred * (1 - pred)))
    gradient_tolerance = CANCELING_TERMS.because(
        "the output less the label, which may be nearly equal"
    )


def kl_div(pred: Array, label: Array) -> Array:
    """Return each sample's sum of label (log(label) - pred)."""
    return (label * (np.log(label) - pred)).sum(axis=1)


def kl_div_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return minus the label."""
    del pred
    return (-cotangents[0][:, None] * label,)


class KLDivLoss(Paired):
    """The Kullback-Leibler divergence of logarithms of probabilities, summed over a sample."""

    work = 3
    tensors = {"pred": Tensor(high=0), "label": Tensor(low=0.05, high=1, differentiable=False)}
    reference = kl_div
    gradient = kl_div_gradient
    dtypes = EXACT
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value a sample."""
        self.require_rank("pred", 2)
        return super().outputs()


def poisson_nll(pred: Array, label: Array) -> Array:
    """Return the mean of exp(pred) - label pred, in a tensor of one."""
    return (np.exp(pred) - label * pred).mean().reshape(1)


def poisson_nll_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Share the gradient out."""
    return (cotangents[0] * (np.exp(pred) - label) / pred.size,)


class PoissonNLLLoss(Paired):
    """The mean negative logarithm of counts' likelihood, given logarithms of their rates."""

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
    """Return (log(variance) + (pred - label)^2 / variance) / 2."""
    return (np.log(variance) + (pred - label) ** 2 / variance) / 2


def gaussian_nll_mean(pred: Array, label: Array, variance: Array) -> Any:
    """Return each sample's mean."""
    return gaussian_nll(pred, label, variance).mean(axis=1)


def gaussian_nll_gradient(
    cotangents: Sequence[Array], pred: Array, label: Array, variance: Array
) -> tuple[Array, Array]:
    """Differentiate by mean and variance."""
    share = cotangents[0][:, None] / pred.shape[1]
    off = (pred - label) / variance
    return share * off, share * (1 / variance - off**2) / 2


class GaussianNLLLoss(Paired):
    """The mean negative logarithm of a normal distribution's likelihood, without its constant."""

    work = 5
    tensors = {"pred": Tensor(), "label": Tensor(differentiable=False), "variance": POSITIVE}
    sizes = {size: {**inputs, "variance": inputs["pred"]} for size, inputs in Paired.sizes.items()}
    reference = gaussian_nll_mean
    gradient = gaussian_nll_gradient
    gradient_tolerance = CANCELING_TERMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value a sample."""
        shape = self.inputs["pred"]
        self.require(self.inputs["variance"] == shape, "variance", f"must be {shape}")
        self.require_rank("pred", 2)
        return super().outputs()


def hinge_embedding(pred: Array, label: Array) -> Array:
    """Return the prediction where the label is 1, else by how much it falls short of 1."""
    return np.where(label > 0, pred, np.maximum(1 - pred, 0))


class HingeEmbeddingLoss(Paired):
    """The mean hinge of distances, with labels of 1 or -1."""

    work = 2
    tensors = {"pred": Tensor(), "label": SIGN}
    reference = averaged(hinge_embedding)
    dtypes = EXACT
    gradient = averaged_gradient(
        lambda pred, label: np.where(label > 0, 1, np.where(pred < 1, -1, 0))
    )
    tolerance = CANCELING_SUMS


def identity(data: Array) -> Array:
    """Return the data."""
    return data.copy()


class MakeLoss(Unary):
    """The identity, which makes its input the loss of a network.

    Its backward starts from ones whatever comes from behind: that is no derivative, and only the
    forward is measured.
    """

    category = "loss"
    reference = identity
    differentiable = False
    flops_per_element = 0  # elements are copied
