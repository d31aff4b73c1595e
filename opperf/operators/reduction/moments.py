"""Variance, standard deviation and log-sum-exp along one axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.operators.reduction.reduction import Reduction, broadcast_back, mean_gradient
from opperf.operators.softmax.softmax import softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def variance(data: Array, *, axis: int) -> Array:
    """mean((data - mean)^2)."""
    return np.var(data, axis=axis)


def variance_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * 2 (data - mean) / n."""
    centered = data - data.mean(axis=axis, keepdims=True)
    return (broadcast_back(cotangents[0], axis, data) * centered * (2 / data.shape[axis]),)


def deviation(data: Array, *, axis: int) -> Array:
    """sqrt(variance)."""
    return np.std(data, axis=axis)


def deviation_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * (data - mean) / (n deviation)."""
    by_variance = cotangents[0] / (2 * deviation(data, axis=axis))
    return variance_gradient([by_variance], data, axis=axis)


def moments(data: Array, *, axis: int) -> tuple[Array, Array]:
    """Return mean and variance."""
    return np.mean(data, axis=axis), variance(data, axis=axis)


def moments_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Add the gradients by mean and variance."""
    (by_mean,) = mean_gradient(cotangents[:1], data, axis=axis)
    (by_variance,) = variance_gradient(cotangents[1:], data, axis=axis)
    return (by_mean + by_variance,)


def deviation_and_mean(data: Array, *, axis: int) -> tuple[Array, Array]:
    """Return standard deviation and mean."""
    return deviation(data, axis=axis), np.mean(data, axis=axis)


def deviation_and_mean_gradient(
    cotangents: Sequence[Array], data: Array, *, axis: int
) -> tuple[Array]:
    """Add the gradients by standard deviation and mean."""
    (by_deviation,) = deviation_gradient(cotangents[:1], data, axis=axis)
    (by_mean,) = mean_gradient(cotangents[1:], data, axis=axis)
    return (by_deviation + by_mean,)


def log_sum(data: Array, *, axis: int) -> Array:
    """log(sum(exp(data))), shifted by the maximum."""
    largest = data.max(axis=axis, keepdims=True)
    total = np.exp(data - largest).sum(axis=axis)
    return np.log(total) + largest.squeeze(axis)


def log_sum_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * softmax(data)."""
    return (broadcast_back(cotangents[0], axis, data) * softmax(data, axis=axis),)


class Statistic(Reduction, abstract=True):
    """A reduction that reads the data twice."""

    gradient_tolerance = CANCELING_SUMS

    def flop_count(self) -> int:
        """Return four operations per element: a sum, a difference, a square and a sum."""
        return 4 * prod(self.inputs["data"])


class Variance(Statistic):
    """mean((data - mean)^2) along an axis (population variance)."""

    reference = variance
    gradient = variance_gradient


class StandardDeviation(Statistic):
    """sqrt(mean((data - mean)^2)) along an axis."""

    reference = deviation
    gradient = deviation_gradient


class StatisticPair(Statistic, abstract=True):
    """Two statistics in one call."""

    differentiable_outputs = (0, 1)
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis, twice."""
        return super().outputs() * 2


class Moments(StatisticPair):
    """Mean and variance along an axis."""

    reference = moments
    gradient = moments_gradient


class StdMean(StatisticPair):
    """Standard deviation and mean along an axis."""

    reference = deviation_and_mean
    gradient = deviation_and_mean_gradient


class LogSumExp(Statistic):
    """log(sum(exp(data))) along an axis."""

    reference = log_sum
    gradient = log_sum_gradient
    gradient_tolerance = ROUNDED_STEPS
