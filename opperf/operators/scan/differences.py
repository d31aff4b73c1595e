"""Differences between neighbors, and integrals by the trapezoidal rule; all of them linear."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.operators.scan.scan import Scan, cumulative_sum_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def differences(data: Array, *, axis: int) -> Array:
    """Return each element less the one before it."""
    return np.diff(data, axis=axis)


def flat_differences(data: Array) -> Array:
    """Return the same of all elements as one row."""
    return np.ediff1d(data)


def slope(data: Array, *, axis: int) -> Array:
    """Return central differences, at the ends one-sided ones."""
    return np.gradient(data, axis=axis)


def between(data: Array, axis: int) -> tuple[Array, Array]:
    """Return the elements but the last and but the first."""
    ends = np.arange(data.shape[axis])
    return np.take(data, ends[:-1], axis), np.take(data, ends[1:], axis)


def trapezoids(data: Array, *, axis: int) -> Array:
    """Return the cumulative sum of the means of neighbors."""
    left, right = between(data, axis)
    return np.cumsum((left + right) / 2, axis=axis)


def trapezoid(data: Array, *, axis: int) -> Array:
    """Return the sum of the means of neighbors."""
    left, right = between(data, axis)
    return np.sum((left + right) / 2, axis=axis)


def apart(left: Array, right: Array, axis: int) -> Array:
    """Return what pairs of neighbors hand on, added up for each element: the transpose."""
    rows = list(left.shape)
    rows[axis] = 1
    edge = np.zeros(rows)
    return np.concatenate((left, edge), axis) + np.concatenate((edge, right), axis)


def differences_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand each gradient to the later element, and its negative to the earlier one."""
    del data  # as everywhere here, what is linear has one derivative everywhere
    return (apart(-cotangents[0], cotangents[0], axis),)


def flat_differences_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Likewise, of one row."""
    return (apart(-cotangents[0], cotangents[0], 0).reshape(data.shape),)


def slope_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand on by the differences, each of which is in two slopes; at the ends it is one whole."""
    weights = np.full(data.shape[axis], 0.5)
    weights[[0, -1]] = 1
    parts = np.moveaxis(np.moveaxis(cotangents[0], axis, -1) * weights, -1, axis)
    left, right = between(parts, axis)
    return (apart(-left - right, left + right, axis),)


def trapezoids_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand the gradients of all later sums to both elements of a pair."""
    (parts,) = cumulative_sum_gradient(cotangents, data, axis=axis)
    return (apart(parts / 2, parts / 2, axis),)


def trapezoid_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand the gradient to all elements, half of it to those at the ends."""
    parts = np.expand_dims(cotangents[0], axis).repeat(data.shape[axis] - 1, axis) / 2
    return (apart(parts, parts, axis),)


class Diff(Scan):
    """Each element less the one before it along an axis."""

    reference = differences
    gradient = differences_gradient
    flops_per_element = 1  # a difference

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape, one shorter along the axis."""
        axis, shape = self.axis(), self.inputs["data"]
        self.require(shape[axis] > 1, "data", "must be longer than 1 along the axis")
        return ((*shape[:axis], shape[axis] - 1, *shape[axis + 1 :]),)


class EDiff1D(Scan):
    """Each element less the one before it, of all elements as one row."""

    attributes = {}
    reference = flat_differences
    gradient = flat_differences_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one less than there are elements."""
        count = prod(self.inputs["data"])
        self.require(count > 1, "data", "must have more than one element")
        return ((count - 1,),)


class Gradient(Scan):
    """The slope along an axis by central differences."""

    reference = slope
    gradient = slope_gradient
    flops_per_element = 2  # a difference and a quotient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        self.require(self.inputs["data"][self.axis()] > 1, "data", "is too short along the axis")
        return super().outputs()


class CumulativeTrapezoid(Diff):
    """The cumulative integral along an axis by the trapezoidal rule."""

    reference = trapezoids
    gradient = trapezoids_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS
    flops_per_element = 3  # two sums and a product


class Trapezoid(CumulativeTrapezoid):
    """The integral along an axis by the trapezoidal rule."""

    reference = trapezoid
    gradient = trapezoid_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape without the axis."""
        axis, shape = self.axis(), self.inputs["data"]
        self.require(shape[axis] > 1, "data", "must be longer than 1 along the axis")
        return ((*shape[:axis], *shape[axis + 1 :]),)

    def flop_count(self) -> int:
        """Return two sums and a product an element of the input."""
        return 3 * prod(self.inputs["data"])
