"""Sum and norm pooling, over windows as in pooling.py.

The data of norms are positive and not small, where roots have a finite slope.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.windows import scatter, windows
from opperf.operators.pooling.pooling import (
    IN_ONE_DIMENSION,
    IN_TWO_DIMENSIONS,
    Pooling,
    avg_pool,
    avg_pool_gradient,
    layer_inputs,
    window_axes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def sum_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return the sum of each window."""
    return avg_pool(data, kernel=kernel, stride=stride, padding=padding) * prod(kernel)


def sum_pool_gradient(
    cotangents: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Pass each cotangent to every element of its window."""
    (share,) = avg_pool_gradient(cotangents, data, kernel=kernel, stride=stride, padding=padding)
    return (share * prod(kernel),)


class SumPooling(Pooling, abstract=True):
    """The sum of each window."""

    reference = sum_pool
    gradient = sum_pool_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return one operation per window element."""
        return prod(self.outputs()[0]) * prod(self.inputs["kernel"])


class SumPool1D(SumPooling):
    """Sum pooling of sequences."""

    spatial = 1
    sizes = IN_ONE_DIMENSION


class SumPool2D(SumPooling):
    """Sum pooling of images."""

    spatial = 2
    sizes = IN_TWO_DIMENSIONS


def norm_pool(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return sqrt(sum(x^2)) of each window."""
    found = windows(data, kernel, stride, padding)
    return np.sqrt((found**2).sum(axis=window_axes(kernel)))


def norm_pool_gradient(
    cotangents: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Return cotangent * x / norm, summed over the windows of x."""
    axes: Any = window_axes(kernel)
    found = windows(data, kernel, stride, padding)
    norms = norm_pool(data, kernel=kernel, stride=stride, padding=padding)
    share = np.expand_dims(cotangents[0] / norms, axes) * found
    return (scatter(share, data.shape[2:], stride, padding),)


class NormPooling(Pooling, abstract=True):
    """sqrt(sum(x^2)) over each window (Sermanet et al. 2012)."""

    tensors = {"data": Tensor(low=0.5, high=2)}
    reference = norm_pool
    gradient = norm_pool_gradient
    gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return two operations per window element."""
        return 2 * prod(self.outputs()[0]) * prod(self.inputs["kernel"])

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape with one position per window."""
        self.require(
            self.inputs["padding"] == 0, "padding", "must be 0: norm pooling has no padding"
        )
        return super().outputs()


class LpPool1D(NormPooling):
    """sqrt(sum(x^2)) over each window of a sequence."""

    spatial = 1
    sizes = {**IN_ONE_DIMENSION, "skewed": layer_inputs((1, 3, 100003), (5,), 3)}


class LpPool2D(NormPooling):
    """sqrt(sum(x^2)) over each window of an image."""

    spatial = 2
    sizes = {
        **IN_TWO_DIMENSIONS,
        "typical": layer_inputs((4, 64, 112, 112), (3, 3), 2),
        "large": layer_inputs((32, 64, 112, 112), (3, 3), 2),
        "skewed": layer_inputs((1, 3, 7, 5003), (3, 5), 2),
    }
