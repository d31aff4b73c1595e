"""Arithmetic of tensors of one shape, by calls that do not broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.elementwise import SHAPES, Binary, Elementwise
from opperf.operators.arithmetic.arithmetic import DIVISOR

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


TERMS = ("first", "second", "third")


class SameShapeBinary(Binary, abstract=True):
    """An operator of two tensors of one shape."""

    dtypes: ClassVar[tuple[str, ...]] = DTYPES

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of both tensors."""
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        return (shape,)


class ElementwiseAdd(SameShapeBinary):
    """lhs + rhs, without broadcasting."""

    reference = np.add


class ElementwiseSubtract(SameShapeBinary):
    """lhs - rhs, without broadcasting."""

    reference = np.subtract


class ElementwiseMultiply(SameShapeBinary):
    """lhs * rhs, without broadcasting."""

    reference = np.multiply


class ElementwiseDivide(SameShapeBinary):
    """lhs / rhs, without broadcasting."""

    reference = np.divide
    dtypes = FLOATS
    tensors = {"lhs": Tensor(), "rhs": DIVISOR}


def add_three(first: Array, second: Array, third: Array) -> Array:
    """Return first + second + third."""
    return first + second + third


class AddN(Elementwise):
    """first + second + third in one call."""

    tensors = dict.fromkeys(TERMS, Tensor())
    sizes = {size: dict.fromkeys(TERMS, shape) for size, shape in SHAPES.items()}
    reference = add_three
    dtypes = DTYPES
    tolerance = CANCELING_TERMS
    flops_per_element = 2  # two additions

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of all three tensors."""
        shape = self.inputs["first"]
        for name in TERMS[1:]:
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as first is")
        return (shape,)
