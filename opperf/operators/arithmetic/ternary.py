"""Fused arithmetic: several operations an element in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.elementwise import SHAPES, Elementwise, Unary, chain
from opperf.operators.arithmetic.arithmetic import DIVISOR

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array


FACTORS = ("data", "lhs", "rhs")
ENDS = ("start", "end", "weight")


def add_product(data: Array, lhs: Array, rhs: Array, *, value: float) -> Array:
    """Return data + value * lhs * rhs."""
    return data + value * lhs * rhs


def add_quotient(data: Array, lhs: Array, rhs: Array, *, value: float) -> Array:
    """Return data + value * lhs / rhs."""
    return data + value * lhs / rhs


def interpolate(start: Array, end: Array, weight: Array) -> Array:
    """Return start + weight * (end - start)."""
    return start + weight * (end - start)


def quadratic(data: Array, *, a: float, b: float, c: float) -> Array:
    """Return a * data^2 + b * data + c."""
    return a * data * data + b * data + c


def threshold(data: Array, *, limit: float, value: float) -> Array:
    """Return data where it is above limit, else value."""
    return np.where(data > limit, data, value)


def is_above(data: Array, *, limit: float, value: float) -> Array:
    """Return where data > limit: the derivative of threshold."""
    del value  # a constant
    return data > limit


class AddCMul(Elementwise):
    """data + value * lhs * rhs."""

    tensors = dict.fromkeys(FACTORS, Tensor())
    attributes = {"value": 0.5}
    sizes = {size: dict.fromkeys(FACTORS, shape) for size, shape in SHAPES.items()}
    reference = add_product
    tolerance = CANCELING_TERMS
    flops_per_element = 3


class AddCDiv(AddCMul):
    """data + value * lhs / rhs, as in a step of Adam."""

    tensors = {"data": Tensor(), "lhs": Tensor(), "rhs": DIVISOR}
    reference = add_quotient


class Lerp(Elementwise):
    """Linear interpolation: start + weight * (end - start)."""

    tensors = {"start": Tensor(), "end": Tensor(), "weight": Tensor(low=0, high=1)}
    sizes = {size: dict.fromkeys(ENDS, shape) for size, shape in SHAPES.items()}
    reference = interpolate
    gradient_tolerance = CANCELING_TERMS.because("1 - weight near a weight of one")
    tolerance = CANCELING_TERMS
    flops_per_element = 3  # a difference, a product and a sum


class Quadratic(Unary):
    """a * data^2 + b * data + c."""

    attributes = {"a": 0.5, "b": -1.0, "c": 2.0}
    reference = quadratic
    gradient_tolerance = CANCELING_TERMS.because("2 a x + b near its zero")
    flops_per_element = 4  # two products and two sums, by Horner's rule


class Threshold(Unary):
    """data where data > limit, else value."""

    attributes = {"limit": 0.5, "value": -1.0}
    reference = threshold
    gradient = chain(is_above)
    flops_per_element = 0  # comparisons are no floating-point operations


def masked_fill(data: Array, mask: Array, *, value: float) -> Array:
    """Return value where mask is true, else data."""
    return np.where(mask, value, data)


def masked_fill_gradient(
    cotangents: list[Array], data: Array, mask: Array, *, value: float
) -> tuple[Array]:
    """Return the cotangent, zero where mask is true."""
    del data, value  # the derivative depends on neither
    return (np.where(mask, 0, cotangents[0]),)


class MaskedFill(Elementwise):
    """value where mask is true, else data.

    The mask takes a byte an element and is true for half of them.
    """

    tensors = {"data": Tensor(), "mask": Tensor(dtype="int8", differentiable=False, low=0, high=1)}
    attributes = {"value": -4.0}
    sizes = {size: {"data": shape, "mask": shape} for size, shape in SHAPES.items()}
    reference = masked_fill
    gradient = masked_fill_gradient
    dtypes = DTYPES
    flops_per_element = 0  # a choice is no floating-point operation
