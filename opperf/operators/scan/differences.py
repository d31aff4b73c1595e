"""Finite differences, and integrals by the trapezoidal rule."""

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
    """data[i + 1] - data[i] along an axis."""
    return np.diff(data, axis=axis)


def flat_differences(data: Array) -> Array:
    """data[i + 1] - data[i] of the flattened data."""
    return np.ediff1d(data)


def slope(data: Array, *, axis: int) -> Array:
    """(data[i + 1] - data[i - 1]) / 2 along an axis, one-sided at the ends."""
    return np.gradient(data, axis=axis)


def neighbors(data: Array, axis: int) -> tuple[Array, Array]:
    """Return data[:-1] and data[1:] along an axis."""
    ends = np.arange(data.shape[axis])
    return np.take(data, ends[:-1], axis), np.take(data, ends[1:], axis)


def trapezoids(data: Array, *, axis: int) -> Array:
    """cumsum((data[i] + data[i + 1]) / 2)."""
    left, right = neighbors(data, axis)
    return np.cumsum((left + right) / 2, axis=axis)


def trapezoid(data: Array, *, axis: int) -> Array:
    """sum((data[i] + data[i + 1]) / 2)."""
    left, right = neighbors(data, axis)
    return np.sum((left + right) / 2, axis=axis)


def add_pairs(left: Array, right: Array, axis: int) -> Array:
    """Add values of neighboring pairs back to their elements: the transpose of taking pairs."""
    rows = list(left.shape)
    rows[axis] = 1
    edge = np.zeros(rows)
    return np.concatenate((left, edge), axis) + np.concatenate((edge, right), axis)


def differences_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """cotangent[i - 1] - cotangent[i]."""
    del data  # as everywhere here, what is linear has one derivative everywhere
    return (add_pairs(-cotangents[0], cotangents[0], axis),)


def flat_differences_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """cotangent[i - 1] - cotangent[i], flattened."""
    return (add_pairs(-cotangents[0], cotangents[0], 0).reshape(data.shape),)


def slope_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Add each cotangent to the elements of its difference, halved except at the ends."""
    weights = np.full(data.shape[axis], 0.5)
    weights[[0, -1]] = 1
    parts = np.moveaxis(np.moveaxis(cotangents[0], axis, -1) * weights, -1, axis)
    left, right = neighbors(parts, axis)
    return (add_pairs(-left - right, left + right, axis),)


def trapezoids_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Add the reversed cumulative sum of the cotangent to both elements of a pair."""
    (parts,) = cumulative_sum_gradient(cotangents, data, axis=axis)
    return (add_pairs(parts / 2, parts / 2, axis),)


def trapezoid_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Broadcast the cotangent, halved at the ends."""
    parts = np.expand_dims(cotangents[0], axis).repeat(data.shape[axis] - 1, axis) / 2
    return (add_pairs(parts, parts, axis),)


class Diff(Scan):
    """data[i + 1] - data[i] along an axis."""

    reference = differences
    gradient = differences_gradient
    flops_per_element = 1  # a difference

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape, shorter by one along the axis."""
        axis, shape = self.axis(), self.inputs["data"]
        self.require(shape[axis] > 1, "data", "must be longer than 1 along the axis")
        return ((*shape[:axis], shape[axis] - 1, *shape[axis + 1 :]),)


class EDiff1D(Scan):
    """data[i + 1] - data[i] of the flattened data."""

    attributes = {}
    reference = flat_differences
    gradient = flat_differences_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one less than the number of elements."""
        count = prod(self.inputs["data"])
        self.require(count > 1, "data", "must have more than one element")
        return ((count - 1,),)


class Gradient(Scan):
    """(data[i + 1] - data[i - 1]) / 2 along an axis, one-sided at the ends."""

    reference = slope
    gradient = slope_gradient
    flops_per_element = 2  # a difference and a quotient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        self.require(self.inputs["data"][self.axis()] > 1, "data", "is too short along the axis")
        return super().outputs()


class CumulativeTrapezoid(Diff):
    """cumsum((data[i] + data[i + 1]) / 2) along an axis."""

    reference = trapezoids
    gradient = trapezoids_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS
    flops_per_element = 3  # two sums and a product


class Trapezoid(CumulativeTrapezoid):
    """sum((data[i] + data[i + 1]) / 2) along an axis."""

    reference = trapezoid
    gradient = trapezoid_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape without the axis."""
        axis, shape = self.axis(), self.inputs["data"]
        self.require(shape[axis] > 1, "data", "must be longer than 1 along the axis")
        return ((*shape[:axis], *shape[axis + 1 :]),)

    def flop_count(self) -> int:
        """Return two additions and a multiplication per element of the input."""
        return 3 * prod(self.inputs["data"])
