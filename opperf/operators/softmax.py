"""The softmax family."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator
from opperf.operators.accumulation import BACKWARD, FORWARD, along_axis, unsafe_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


def softmax(data: Array, *, axis: int) -> Array:
    """Divide exponentials by their sum, after taking off the largest."""
    powers = np.exp(data - data.max(axis=axis, keepdims=True))
    result: Array = powers / powers.sum(axis=axis, keepdims=True)
    return result


def softmax_gradient(seeds: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Apply the Jacobian diag(y) - y y^T of each row."""
    y = softmax(data, axis=axis)
    return (y * (seeds[0] - (seeds[0] * y).sum(axis=axis, keepdims=True)),)


def log_softmax(data: Array, *, axis: int) -> Array:
    """Subtract the logarithm of the exponentials' sum, after taking off the largest."""
    shifted = data - data.max(axis=axis, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return result


def log_softmax_gradient(seeds: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Apply the Jacobian 1 - softmax of each row."""
    return (seeds[0] - softmax(data, axis=axis) * seeds[0].sum(axis=axis, keepdims=True),)


class Normalizing(Operator):
    """An operator that normalizes exponentials along an axis.

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

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        self.require(-len(shape) <= axis < len(shape), "axis", f"data has {len(shape)} dimensions")
        return (shape,)

    def flop_count(self) -> int:
        """Return five operations an element: maximum, difference, exponential, sum, quotient.

        The logarithm has as many, a second difference in place of the quotient.
        """
        return 5 * prod(self.inputs["data"])


class Softmax(Normalizing):
    """Exponentials normalized to sum to one along an axis."""

    reference = staticmethod(softmax)
    gradient = staticmethod(softmax_gradient)
    limitations = (unsafe_sums(along_axis(1024), FORWARD), unsafe_sums(along_axis(256), BACKWARD))
    tags = ("core",)


class LogSoftmax(Normalizing):
    """The logarithm of the softmax along an axis."""

    reference = staticmethod(log_softmax)
    gradient = staticmethod(log_softmax_gradient)
    limitations = (unsafe_sums(along_axis(4096), FORWARD), unsafe_sums(along_axis(256), BACKWARD))
