"""Softmax and its variants."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.accumulation import EXPONENTIALS
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def softmax(data: Array, *, axis: int) -> Array:
    """exp(x - max) / sum(exp(x - max))."""
    powers = np.exp(data - data.max(axis=axis, keepdims=True))
    result: Array = powers / powers.sum(axis=axis, keepdims=True)
    return result


def softmax_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return y * (cotangent - sum(y * cotangent))."""
    y = softmax(data, axis=axis)
    return (y * (cotangents[0] - (cotangents[0] * y).sum(axis=axis, keepdims=True)),)


def log_softmax(data: Array, *, axis: int) -> Array:
    """Return x - max - log(sum(exp(x - max)))."""
    shifted = data - data.max(axis=axis, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return result


def log_softmax_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent - softmax * sum(cotangent)."""
    return (cotangents[0] - softmax(data, axis=axis) * cotangents[0].sum(axis=axis, keepdims=True),)


MASKED = -10000.0


class SoftmaxOperator(Declaration, abstract=True):
    """A softmax along an axis.

    Typical is BERT-base's attention (12 heads of 384 x 384 scores), skewed a row of logits over
    GPT-2's vocabulary for 8 tokens.
    """

    tensors = {"data": Tensor()}
    attributes = {"axis": -1}
    sizes = {
        "small": {"data": (32, 128)},
        "typical": {"data": (12, 384, 384)},
        "large": {"data": (96, 384, 384)},
        "skewed": {"data": (8, 50257)},
    }
    tolerance = EXPONENTIALS
    gradient_tolerance = CANCELING_SUMS.because("each element less the weighted sum of its row")
    flops_per_element = 5  # maximum, difference, exponential, sum, quotient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        self.require(-len(shape) <= axis < len(shape), "axis", f"data has {len(shape)} dimensions")
        return (shape,)


def softmin(data: Array, *, axis: int) -> Array:
    """softmax(-data)."""
    return softmax(-data, axis=axis)


def softmin_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Negate the gradient of softmax at -data."""
    return (-softmax_gradient(cotangents, -data, axis=axis)[0],)


def softmax_at(data: Array, *, axis: int, temperature: float) -> Array:
    """softmax(data / temperature) (Hinton et al. 2015)."""
    return softmax(data / temperature, axis=axis)


def softmax_at_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int, temperature: float
) -> tuple[Array]:
    """Divide the gradient of softmax by the temperature."""
    return (softmax_gradient(cotangents, data / temperature, axis=axis)[0] / temperature,)


def masked_softmax(data: Array, mask: Array, *, axis: int) -> Array:
    """softmax(mask ? -10000 : data), the masked score of BERT."""
    return softmax(np.where(mask, MASKED, data), axis=axis)


def masked_softmax_gradient(
    cotangents: Sequence[Array], data: Array, mask: Array, *, axis: int
) -> tuple[Array]:
    """Return the gradient of softmax where nothing is masked, else 0."""
    masked = np.where(mask, MASKED, data)
    return (np.where(mask, 0, softmax_gradient(cotangents, masked, axis=axis)[0]),)


class Softmax(SoftmaxOperator):
    """exp(data) / sum(exp(data)) along an axis."""

    reference = softmax
    gradient = softmax_gradient
    tags: ClassVar[tuple[str, ...]] = ("core",)


class LogSoftmax(SoftmaxOperator):
    """log(softmax(data)) along an axis."""

    reference = log_softmax
    gradient = log_softmax_gradient
    tolerance = ROUNDED_STEPS


class Softmin(SoftmaxOperator):
    """softmax(-data) along an axis."""

    reference = softmin
    gradient = softmin_gradient


class SoftmaxTemperature(SoftmaxOperator):
    """softmax(data / temperature) along an axis."""

    attributes = {"axis": -1, "temperature": 2.0}
    reference = softmax_at
    gradient = softmax_at_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        self.require(self.inputs["temperature"] > 0, "temperature", "must be positive")
        return super().outputs()

    def flop_count(self) -> int:
        """Return six operations per element: those of the softmax and a division."""
        return super().flop_count() + prod(self.inputs["data"])


class MaskedSoftmax(SoftmaxOperator):
    """softmax(data) along an axis, with about half of the scores masked by a mask of bytes."""

    tensors = {"data": Tensor(), "mask": Tensor(dtype="int8", differentiable=False, low=0, high=1)}
    sizes = {
        size: {"data": shapes["data"], "mask": shapes["data"]}
        for size, shapes in SoftmaxOperator.sizes.items()
    }
    reference = masked_softmax
    gradient = masked_softmax_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        (shape,) = super().outputs()
        self.require(self.inputs["mask"] == shape, "mask", f"must be {shape}, as data is")
        return (shape,)


class SoftmaxActivation(SoftmaxOperator):
    """softmax(data) along the second axis, the channels.

    Typical are the scores of DeepLab's 21 classes for each pixel.
    """

    attributes = {}
    sizes = {
        "small": {"data": (2, 8, 8, 8)},
        "typical": {"data": (1, 21, 256, 256)},
        "large": {"data": (8, 21, 512, 512)},
        "skewed": {"data": (3, 1021, 3, 5)},
    }
    reference = partial(softmax, axis=1)
    gradient = partial(softmax_gradient, axis=1)
    dtypes = ("float32",)
    least_rank = 3

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        shape: Shape = self.inputs["data"]
        self.require_least_rank("data", self.least_rank)
        return (shape,)
