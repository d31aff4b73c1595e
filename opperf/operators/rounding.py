"""Rounding and clipping.

The gradient of rounding is zero, so only its forward is measured. Values stay away from the jumps,
where frameworks differ: a half rounds to even, or away from zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, INTEGERS, WIDE, Tensor
from opperf.declaring.elementwise import Unary, chain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


def off_jumps(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw values from -8 to 8 that are a quarter away from an integer or half."""
    del low, high  # the fractions are what counts
    return random.integers(-8, 8, shape) + random.choice((0.25, 0.75), shape)


def round_half_down(data: Array) -> Array:
    """Round to the nearest integer, halves down."""
    return np.ceil(data - 0.5)


def fraction(data: Array) -> Array:
    """Return data - trunc(data)."""
    return data - np.trunc(data)


def clip_slope(data: Array, *, a_min: float, a_max: float) -> Array:
    """Return the derivative of clipping: 1 within the limits, else 0."""
    return (data >= a_min) & (data <= a_max)


def clamp_min(data: Array, *, a_min: float) -> Array:
    """max(data, a_min)."""
    return np.maximum(data, a_min)


def clamp_max(data: Array, *, a_max: float) -> Array:
    """min(data, a_max)."""
    return np.minimum(data, a_max)


def lower_slope(data: Array, *, a_min: float) -> Array:
    """Return the derivative of max(data, a_min)."""
    return data >= a_min


def upper_slope(data: Array, *, a_max: float) -> Array:
    """Return the derivative of min(data, a_max)."""
    return data <= a_max


class Clipping(Unary, abstract=True):
    """Clipping by attributes, which affects some of the normal values."""

    dtypes = DTYPES

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        for name in self.attributes:
            fits = self.dtype not in INTEGERS or self.inputs[name].is_integer()
            self.require(fits, name, f"must be a whole number for {self.dtype}")
        return super().outputs()


class Clip(Clipping):
    """min(max(data, a_min), a_max); it clips a third of normal values."""

    attributes = {"a_min": -1.0, "a_max": 1.0}
    reference = np.clip
    gradient = chain(clip_slope)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        low, high = self.inputs["a_min"], self.inputs["a_max"]
        self.require(low <= high, "a_max", f"must be at least a_min={low}")
        return super().outputs()


class ClampMin(Clipping):
    """max(data, a_min)."""

    attributes = {"a_min": -1.0}
    reference = clamp_min
    gradient = chain(lower_slope)


class ClampMax(Clipping):
    """min(data, a_max)."""

    attributes = {"a_max": 1.0}
    reference = clamp_max
    gradient = chain(upper_slope)


class Rounding(Unary, abstract=True):
    """A rounding to an integer of the same dtype."""

    tensors = {"data": Tensor(initializer=off_jumps)}
    differentiable = False


class Floor(Rounding):
    """floor(data): the largest integer not above."""

    reference = np.floor


class Ceil(Rounding):
    """ceil(data): the smallest integer not below."""

    reference = np.ceil


class Trunc(Rounding):
    """trunc(data): the integer part, also called fix."""

    reference = np.trunc


class Round(Rounding):
    """round(data): the nearest integer."""

    reference = np.rint


class Rint(Rounding):
    """rint(data): the nearest integer, halves down."""

    reference = round_half_down


class RoundDecimals(Unary):
    """round(data, decimals)."""

    attributes = {"decimals": 1}
    reference = np.round
    dtypes = WIDE
    differentiable = False
    flops_per_element = 3  # a product, a rounding and a quotient

    def domains(self) -> Mapping[str, Tensor]:
        """Return values away from the jumps in the last decimal."""
        unit = 10.0 ** -self.inputs["decimals"]

        def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
            return off_jumps(random, shape, low, high) * unit

        return {"data": Tensor(initializer=draw)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        most = 4
        fits = 0 <= self.inputs["decimals"] <= most
        self.require(fits, "decimals", f"must lie in [0, {most}], which float32 holds")
        return super().outputs()


class Frac(Unary):
    """data - trunc(data)."""

    tensors = {"data": Tensor(initializer=off_jumps)}
    reference = fraction
