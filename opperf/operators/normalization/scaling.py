"""Normalizations that only scale: by length, by root mean square, by a maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


RENORM_EPS = 1e-7
"""Added to the length before dividing by it."""


def length(data: Array) -> Array:
    """Return the Euclidean length of each row."""
    return np.sqrt(np.sum(data * data, axis=-1, keepdims=True))


def along(cotangent: Array, data: Array) -> Array:
    """Return the inner product of each row's cotangent and data."""
    return np.sum(cotangent * data, axis=-1, keepdims=True)


def l2_normalize(data: Array) -> Array:
    """Return data / ||data||, row by row."""
    return data / length(data)


def l2_normalize_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """(cotangent - y (y . cotangent)) / ||data||."""
    unit = l2_normalize(data)
    return ((cotangents[0] - unit * along(cotangents[0], unit)) / length(data),)


def rms_norm(data: Array, gamma: Array, *, eps: float) -> Array:
    """Return gamma * data / sqrt(mean(data^2) + eps) (Zhang and Sennrich 2019)."""
    return data / np.sqrt(np.mean(data * data, axis=-1, keepdims=True) + eps) * gamma


def rms_norm_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array, *, eps: float
) -> tuple[Array, Array]:
    """Differentiate through the root mean square; gamma's gradient sums over all rows."""
    root = np.sqrt(np.mean(data * data, axis=-1, keepdims=True) + eps)
    unit, scaled = data / root, cotangents[0] * gamma
    by_data = (scaled - unit * along(scaled, unit) / data.shape[-1]) / root
    return by_data, (cotangents[0] * unit).sum(axis=tuple(range(data.ndim - 1)))


def weight_norm(data: Array, gamma: Array) -> Array:
    """Return g * v / ||v|| (Salimans and Kingma 2016)."""
    return l2_normalize(data) * gamma


def weight_norm_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array
) -> tuple[Array, Array]:
    """Differentiate by direction and length."""
    (by_data,) = l2_normalize_gradient([cotangents[0] * gamma], data)
    return by_data, along(cotangents[0], l2_normalize(data))


def renorm(data: Array, *, maxnorm: float) -> Array:
    """Return data * min(1, maxnorm / ||data||)."""
    long = length(data)
    return np.where(long > maxnorm, data * maxnorm / (long + RENORM_EPS), data)


def renorm_gradient(cotangents: Sequence[Array], data: Array, *, maxnorm: float) -> tuple[Array]:
    """Differentiate the rows that were shortened."""
    long, cotangent = length(data), cotangents[0]
    shared = data * along(cotangent, data) / (long * (long + RENORM_EPS))
    return (
        np.where(long > maxnorm, (cotangent - shared) * maxnorm / (long + RENORM_EPS), cotangent),
    )


class RowScaling(Declaration, abstract=True):
    """Rows divided by a norm. Typical are CLIP's embeddings of 1024 images."""

    tensors = {"data": Tensor()}
    sizes: ClassVar[Sizes] = {
        "small": {"data": (32, 128)},
        "typical": {"data": (1024, 512)},
        "large": {"data": (16384, 1024)},
        "skewed": {"data": (3, 50257)},
    }
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 3  # three operations: two for the length, one to apply it

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        return (self.inputs["data"],)


class L2Normalization(RowScaling):
    """data / ||data||, row by row."""

    reference = l2_normalize
    gradient = l2_normalize_gradient


class RMSNorm(RowScaling):
    """gamma * data / sqrt(mean(data^2) + eps), row by row.

    Typical is Llama-7B's hidden state of 512 tokens.
    """

    tensors = {"data": Tensor(), "gamma": Tensor(low=0.5, high=1.5)}
    attributes = {"eps": 1e-5}
    sizes = {
        size: {"data": data, "gamma": data[-1:]}
        for size, data in {
            "small": (32, 128),
            "typical": (512, 4096),
            "large": (8192, 4096),
            "skewed": (3, 50257),
        }.items()
    }
    reference = rms_norm
    gradient = rms_norm_gradient
    tolerance = ROUNDED_STEPS
    flops_per_element = 4  # two for the root, two to apply it and the scale

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        features = self.inputs["data"][-1:]
        self.require(self.inputs["gamma"] == features, "gamma", f"must be {features}")
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        return super().outputs()


class WeightNorm(RowScaling):
    """g * v / ||v||, for each row of a weight.

    Typical is the recurrent weight of an LSTM of 512 units, as AWD-LSTM's relatives have it.
    """

    tensors = {"data": Tensor(), "gamma": Tensor(low=0.5, high=1.5)}
    sizes = {
        size: {"data": data, "gamma": (data[0], 1)}
        for size, data in {
            "small": (32, 128),
            "typical": (2048, 512),
            "large": (8192, 2048),
            "skewed": (3, 50257),
        }.items()
    }
    reference = weight_norm
    gradient = weight_norm_gradient
    flops_per_element = 4  # four operations: two for the length, two to apply both

    def outputs(self) -> tuple[Shape, ...]:
        """Return the weight's shape."""
        (shape,) = super().outputs()
        expected = (shape[0], 1)
        self.require(self.inputs["gamma"] == expected, "gamma", f"must be {expected}")
        return (shape,)


class Renorm(RowScaling):
    """data * min(1, maxnorm / ||data||), row by row; shortens about half of small's rows."""

    attributes = {"maxnorm": 11.3}
    reference = renorm
    gradient = renorm_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["maxnorm"] > 0, "maxnorm", "must be positive")
        return super().outputs()
