"""Tensors filled in place, or in the shape of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, INTEGERS, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES, Unary
from opperf.operators.creation.creation import CreationLike

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


PARTS = ("first", "second", "third")


def full_like(data: Array, *, value: float) -> Array:
    """Return value in the shape and dtype of data."""
    return np.full_like(data, value)


def zeros_for_three(first: Array, second: Array, third: Array) -> tuple[Array, Array, Array]:
    """Return zeros in three shapes."""
    return np.zeros_like(first), np.zeros_like(second), np.zeros_like(third)


class ConstantValue(Unary, abstract=True):
    """A tensor filled with one value."""

    attributes = {"value": 3.0}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        fits = self.dtype not in INTEGERS or self.inputs["value"].is_integer()
        self.require(fits, "value", f"must be a whole number for {self.dtype}")
        return super().outputs()


class FullLike(ConstantValue, CreationLike):
    """value in the shape of data."""

    reference = full_like


class InplaceFill(Unary, abstract=True):
    """A tensor overwritten in place."""

    tensors = {"data": Tensor(mutated=True)}
    dtypes = DTYPES
    differentiable = False
    unread = {"data": "overwritten"}
    flops_per_element = 0  # filling is no arithmetic


class Fill(ConstantValue, InplaceFill):
    """data = value, in place."""

    reference = full_like


class Zero(InplaceFill):
    """data = 0, in place."""

    reference = np.zeros_like


class MultiZero(Declaration):
    """Zero three tensors in one call, as gradients are zeroed before a step."""

    tensors = dict.fromkeys(PARTS, Tensor(mutated=True))
    sizes = {size: dict.fromkeys(PARTS, shape) for size, shape in SHAPES.items()}
    unread = dict.fromkeys(PARTS, "overwritten")
    reference = zeros_for_three
    differentiable = False
    flops_per_element = 0  # filling is no arithmetic

    def outputs(self) -> tuple[Shape, ...]:
        """Return the three shapes."""
        return tuple(self.shapes.values())
