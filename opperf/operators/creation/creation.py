"""Tensors created from a shape, a value or a range."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, INTEGERS
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES, Unary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


class Creation(Declaration, abstract=True):
    """A new tensor of a given shape, filled without arithmetic."""

    attributes: ClassVar[Mapping[str, object]] = {"shape": SHAPES["typical"]}
    sizes: ClassVar[Sizes] = {size: {"shape": shape} for size, shape in SHAPES.items()}
    dtypes: ClassVar[tuple[str, ...]] = DTYPES
    differentiable = False
    flops_per_element = 0  # filling is no arithmetic

    def outputs(self) -> tuple[Shape, ...]:
        """Return `shape`."""
        return (self.inputs["shape"],)


class CreationLike(Unary, abstract=True):
    """A new tensor of the shape and dtype of another."""

    dtypes = DTYPES
    differentiable = False

    unread = {"data": "only its shape"}
    flops_per_element = 0  # filling is no arithmetic


def zeros(*, shape: Shape, dtype: str = "float64") -> Array:
    """Return zeros."""
    return np.zeros(shape, dtype)


def ones(*, shape: Shape, dtype: str = "float64") -> Array:
    """Return ones."""
    return np.ones(shape, dtype)


def full(*, shape: Shape, value: float, dtype: str = "float64") -> Array:
    """Return a tensor filled with value."""
    return np.full(shape, value, dtype)


def arange(*, start: int, stop: int, step: int, dtype: str = "int64") -> Array:
    """Return start, start + step, ... below stop."""
    return np.arange(start, stop, step, dtype)


class Zeros(Creation):
    """A tensor of zeros."""

    reference = zeros


class Ones(Creation):
    """A tensor of ones."""

    reference = ones


class ZerosLike(CreationLike):
    """Zeros in the shape of data."""

    reference = np.zeros_like


class OnesLike(CreationLike):
    """Ones in the shape of data."""

    reference = np.ones_like


class Full(Creation):
    """A tensor filled with value."""

    attributes = {**Creation.attributes, "value": 3.0}
    reference = full

    def outputs(self) -> tuple[Shape, ...]:
        """Return `shape`."""
        value = self.inputs["value"]
        if self.dtype in INTEGERS:
            limits = np.iinfo(self.dtype)
            fits = value.is_integer() and limits.min <= value <= limits.max
            self.require(fits, "value", f"must be a whole number that {self.dtype} holds")
        return super().outputs()


class Arange(Creation):
    """start, start + step, ... below stop.

    As many numbers as the other operators' elements; only dtypes that hold all of them are allowed.
    """

    attributes = {"start": 0, "stop": prod(SHAPES["typical"]), "step": 1}
    sizes = {size: {"stop": prod(shape)} for size, shape in SHAPES.items()}
    reference = arange
    dtypes = ("float64", "float32", "int64", "int32")
    flops_per_element = 2  # a multiplication and an addition

    def outputs(self) -> tuple[Shape, ...]:
        """Return the length of the range."""
        start, stop, step = (self.inputs[name] for name in ("start", "stop", "step"))
        self.require(step != 0, "step", "must not be 0")
        length = -((start - stop) // step)
        self.require(length > 0, "stop", f"leaves no number from start={start} by step={step}")
        return ((length,),)
