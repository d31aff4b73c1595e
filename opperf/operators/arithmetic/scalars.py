"""Arithmetic of a tensor and a number, which no tensor of its own has to be read for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary
from opperf.operators.arithmetic.arithmetic import MODULUS, NUMERATOR

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def add(data: Array, *, scalar: float) -> Array:
    """Return x + scalar."""
    return data + scalar


def subtract_from(data: Array, *, scalar: float) -> Array:
    """Return scalar - x."""
    return scalar - data


def multiply(data: Array, *, scalar: float) -> Array:
    """Return x scalar."""
    return data * scalar


def divide(data: Array, *, scalar: float) -> Array:
    """Return x / scalar."""
    return data / scalar


def divide_into(data: Array, *, scalar: float) -> Array:
    """Return scalar / x."""
    return scalar / data


def modulo(data: Array, *, scalar: float) -> Array:
    """Return the remainder of a division rounded down."""
    return np.mod(data, scalar)


def power(data: Array, *, scalar: float) -> Array:
    """Return x to the power of the scalar."""
    return data**scalar


def power_of(data: Array, *, scalar: float) -> Array:
    """Return the scalar to the power of x."""
    return scalar**data


class ScalarOperator(Unary, abstract=True):
    """An operator of a tensor and a number."""

    attributes = {"scalar": 1.5}


class NonzeroScalar(ScalarOperator, abstract=True):
    """One whose number must not be zero."""

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] != 0, "scalar", "must not be 0")
        return super().outputs()


class AddScalar(ScalarOperator):
    """Each element and a number."""

    reference = add


class ReverseSubtract(ScalarOperator):
    """A number less each element."""

    reference = subtract_from


class MultiplyScalar(ScalarOperator):
    """Each element times a number."""

    reference = multiply


class DivideScalar(NonzeroScalar):
    """Each element over a number."""

    reference = divide


class ReverseDivide(ScalarOperator):
    """A number over each element."""

    reference = divide_into
    tensors = {"data": Tensor(low=0.5, high=2)}


class ModuloScalar(NonzeroScalar):
    """The remainder of each element's division by a number, rounded down."""

    attributes = {"scalar": (MODULUS.low + MODULUS.high) / 2}
    tensors = {"data": NUMERATOR}
    reference = modulo


class PowerScalar(ScalarOperator):
    """Each element to the power of a number that is neither whole nor a half."""

    attributes = {"scalar": 1.75}
    reference = power
    tensors = {"data": Tensor(low=0.5, high=4)}


class ReversePower(ScalarOperator):
    """A number to the power of each element."""

    reference = power_of

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] > 0, "scalar", "must be positive")
        return super().outputs()
