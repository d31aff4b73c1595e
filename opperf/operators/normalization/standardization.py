"""Normalizations by statistics within a sample: layer, instance and group normalization."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def standardize(rows: Array, eps: float) -> tuple[Array, Array]:
    """Return (data - mean) / sqrt(var + eps) per row, and sqrt(var + eps)."""
    deviation = np.sqrt(rows.var(axis=-1, keepdims=True) + eps)
    return (rows - rows.mean(axis=-1, keepdims=True)) / deviation, deviation


def standardize_gradient(cotangent: Array, normal: Array, deviation: Array) -> Array:
    """Differentiate through mean and variance (Ba et al. 2016, supplement)."""
    along = (cotangent * normal).mean(axis=-1, keepdims=True)
    return (cotangent - cotangent.mean(axis=-1, keepdims=True) - normal * along) / deviation


def layer_norm(data: Array, gamma: Array, beta: Array, *, eps: float) -> Array:
    """Return gamma * (data - mean) / sqrt(var + eps) + beta, over the last axis."""
    return standardize(data, eps)[0] * gamma + beta


def layer_norm_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array, beta: Array, *, eps: float
) -> tuple[Array, Array, Array]:
    """Differentiate; the parameters' gradients sum over all rows."""
    cotangent, (normal, deviation) = cotangents[0], standardize(data, eps)
    rows = tuple(range(data.ndim - beta.ndim))
    by_data = standardize_gradient(cotangent * gamma, normal, deviation)
    return by_data, (cotangent * normal).sum(axis=rows), cotangent.sum(axis=rows)


def by_channel(values: Array, rank: int) -> Array:
    """Return one value per channel, broadcasting over (batch, channels, *size)."""
    return values.reshape(-1, *[1] * (rank - 2))


def group_norm(data: Array, gamma: Array, beta: Array, *, groups: int, eps: float) -> Array:
    """Standardize each group of channels of each sample, then scale and shift."""
    normal, _ = standardize(data.reshape(len(data), groups, -1), eps)
    scale, shift = by_channel(gamma, data.ndim), by_channel(beta, data.ndim)
    return normal.reshape(data.shape) * scale + shift


def group_norm_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array, beta: Array, *, groups: int, eps: float
) -> tuple[Array, Array, Array]:
    """Differentiate; the parameters' gradients sum over samples and positions."""
    del beta  # its gradient does not depend on it
    cotangent, grouped = cotangents[0], (len(data), groups, -1)
    normal, deviation = standardize(data.reshape(grouped), eps)
    scaled = (cotangent * by_channel(gamma, data.ndim)).reshape(grouped)
    by_data = standardize_gradient(scaled, normal, deviation).reshape(data.shape)
    others = (0, *range(2, data.ndim))
    by_gamma = (cotangent * normal.reshape(data.shape)).sum(axis=others)
    return by_data, by_gamma, cotangent.sum(axis=others)


def instance_norm(data: Array, gamma: Array, beta: Array, *, eps: float) -> Array:
    """Standardize each channel of each sample, then scale and shift."""
    return group_norm(data, gamma, beta, groups=len(gamma), eps=eps)


def instance_norm_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array, beta: Array, *, eps: float
) -> tuple[Array, Array, Array]:
    """Differentiate as a group normalization of one channel per group."""
    return group_norm_gradient(cotangents, data, gamma, beta, groups=len(gamma), eps=eps)


class Standardization(Declaration, abstract=True):
    """Data standardized within each sample, then scaled and shifted.

    `scaled` is the axis of gamma and beta; `least_rank` the fewest dimensions that leave something
    to normalize.
    """

    tensors = {"data": Tensor(), "gamma": Tensor(low=0.5, high=1.5), "beta": Tensor()}
    scaled: ClassVar[int] = 1
    least_rank: ClassVar[int] = 3
    tolerance = CANCELING_SUMS.because("what is near the mean is a difference from it")
    gradient_tolerance = tolerance
    flops_per_element = 7  # two for each statistic, three to apply them

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require_least_rank("data", self.least_rank)
        for name in ("gamma", "beta"):
            expected = (shape[self.scaled],)
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        return (shape,)


def layer(data: Shape, scaled: int = 1) -> dict[str, object]:
    """Return the shapes of one layer."""
    return {"data": data, "gamma": (data[scaled],), "beta": (data[scaled],)}


class LayerNorm(Standardization):
    """gamma * (data - mean) / sqrt(var + eps) + beta, over the last axis.

    Typical is BERT-base's, for 512 tokens; skewed has very long rows.
    """

    attributes = {"eps": 1e-5}
    scaled = -1
    least_rank = 2
    sizes = {
        "small": layer((32, 128), -1),
        "typical": layer((512, 768), -1),
        "large": layer((8192, 1024), -1),
        "skewed": layer((3, 50257), -1),
    }
    reference = layer_norm
    gradient = layer_norm_gradient
    tags = ("core",)


IMAGES = {
    "small": layer((2, 8, 8, 8)),
    "typical": layer((2, 64, 56, 56)),
    "large": layer((8, 64, 112, 112)),
    "skewed": layer((1, 24, 3, 1021)),
}
"""Typical: the first stage of a residual network, for 2 images."""


class InstanceNorm(Standardization):
    """gamma * (data - mean) / sqrt(var + eps) + beta, per channel of each sample."""

    attributes = {"eps": 1e-5}
    sizes = IMAGES
    reference = instance_norm
    gradient = instance_norm_gradient


class GroupNorm(Standardization):
    """gamma * (data - mean) / sqrt(var + eps) + beta, per group of channels of each sample."""

    attributes = {"groups": 8, "eps": 1e-5}
    sizes = {**IMAGES, "small": {**IMAGES["small"], "groups": 2}}
    reference = group_norm
    gradient = group_norm_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        (shape,) = super().outputs()
        groups = self.inputs["groups"]
        fits = groups >= 1 and shape[1] % groups == 0
        self.require(fits, "groups", f"must divide the {shape[1]} channels of data")
        return (shape,)
