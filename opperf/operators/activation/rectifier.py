"""Rectifiers: activation functions that are linear above zero.

Their gradients are in closed form, because their slope, or the slope of that, jumps at zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import chain
from opperf.operators.activation.activation import Activation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
"""Klambauer et al. 2017, equation 14: what keeps mean 0 and variance 1."""


def relu(data: Array) -> Array:
    """Return max(data, 0)."""
    return np.maximum(data, 0)


def positive(data: Array) -> Array:
    """Return where data > 0: the derivative of ReLU."""
    return data > 0


def leaky_relu(data: Array, *, alpha: float) -> Array:
    """Return data, or alpha * data below zero (Maas et al. 2013)."""
    return np.where(data > 0, data, alpha * data)


def leaky_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of the leaky ReLU."""
    return np.where(data > 0, 1, alpha)


def elu(data: Array, *, alpha: float) -> Array:
    """Return data, or alpha * (exp(data) - 1) below zero (Clevert et al. 2016)."""
    return np.where(data > 0, data, alpha * np.expm1(np.minimum(data, 0)))


def elu_slope(data: Array, *, alpha: float) -> Array:
    """Return the derivative of ELU."""
    return np.where(data > 0, 1, alpha * np.exp(np.minimum(data, 0)))


def selu(data: Array) -> Array:
    """Return SCALE * elu(data, ALPHA) (Klambauer et al. 2017)."""
    return SELU_SCALE * elu(data, alpha=SELU_ALPHA)


def selu_slope(data: Array) -> Array:
    """Return the derivative of SELU."""
    return SELU_SCALE * elu_slope(data, alpha=SELU_ALPHA)


def along_channels(gamma: Array, data: Array) -> Array:
    """Return gamma, one value a channel, shaped to broadcast over data with channels second."""
    return gamma.reshape(-1, *(1,) * (data.ndim - 2))


def prelu(data: Array, gamma: Array) -> Array:
    """Return data, or gamma * data below zero, with gamma by channel (He et al. 2015)."""
    return np.where(data > 0, data, data * along_channels(gamma, data))


def prelu_gradient(cotangents: Sequence[Array], data: Array, gamma: Array) -> tuple[Array, Array]:
    """Return the gradients by data and by each channel's slope."""
    slope = np.where(data > 0, 1, along_channels(gamma, data))
    others = tuple(axis for axis in range(data.ndim) if axis != 1)
    return cotangents[0] * slope, (cotangents[0] * np.minimum(data, 0)).sum(axis=others)


class ReLU(Activation):
    """ReLU: max(data, 0)."""

    reference = relu
    gradient = chain(positive)
    tags = ("core",)


class LeakyReLU(Activation):
    """Leaky ReLU: data, or alpha * data below zero."""

    attributes = {"alpha": 0.25}
    reference = leaky_relu
    gradient = chain(leaky_slope)


class PReLU(Activation):
    """Parametric ReLU: data, or gamma * data below zero, one gamma a channel.

    Typical is the first stage of ArcFace's ResNet-50 for one image; skewed has more channels than
    positions.
    """

    tensors = {"data": Tensor(), "gamma": Tensor(low=0, high=0.5)}
    sizes = {
        size: {"data": shape, "gamma": shape[1:2]}
        for size, shape in {
            "small": (1, 16, 16, 16),
            "typical": (1, 64, 56, 56),
            "large": (16, 64, 56, 56),
            "skewed": (3, 1021, 3, 5),
        }.items()
    }
    reference = prelu
    gradient = prelu_gradient
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require_least_rank("data", 2)
        self.require(self.inputs["gamma"] == shape[1:2], "gamma", f"must be {shape[1:2]}")
        return (shape,)


class ELU(Activation):
    """ELU: data, or alpha * (exp(data) - 1) below zero."""

    attributes = {"alpha": 1.0}
    reference = elu
    gradient = chain(elu_slope)
    tolerance = CANCELING_TERMS.because("exp(x) - 1 near zero")
    gradient_tolerance = CANCELING_TERMS.because("y + 1 of the rounded output y")


class SELU(Activation):
    """SELU: SCALE * elu(data, ALPHA), of self-normalizing networks."""

    reference = selu
    gradient = chain(selu_slope)
