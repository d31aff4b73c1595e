"""Arithmetic of a tensor and a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary
from opperf.operators.arithmetic.arithmetic import MODULUS, NUMERATOR

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def add(data: Array, *, scalar: float) -> Array:
    """Return data + scalar."""
    return data + scalar


def subtract_from(data: Array, *, scalar: float) -> Array:
    """Return scalar - data."""
    return scalar - data


def multiply(data: Array, *, scalar: float) -> Array:
    """Return data * scalar."""
    return data * scalar


def divide(data: Array, *, scalar: float) -> Array:
    """Return data / scalar."""
    return data / scalar


def divide_into(data: Array, *, scalar: float) -> Array:
    """Return scalar / data."""
    return scalar / data


def modulo(data: Array, *, scalar: float) -> Array:
    """Return data - floor(data / scalar) * scalar."""
    return np.mod(data, scalar)


def power(data: Array, *, scalar: float) -> Array:
    """Return data ** scalar."""
    return data**scalar


def power_of(data: Array, *, scalar: float) -> Array:
    """Return scalar ** data."""
    return scalar**data


class ScalarOperator(Unary, abstract=True):
    """An operator of a tensor and a number."""

    attributes = {"scalar": 1.5}


class NonzeroScalar(ScalarOperator, abstract=True):
    """An operator of a tensor and a number other than zero."""

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] != 0, "scalar", "must not be 0")
        return super().outputs()


class AddScalar(ScalarOperator):
    """data + scalar."""

    reference = add


class ReverseSubtract(ScalarOperator):
    """scalar - data."""

    reference = subtract_from


class MultiplyScalar(ScalarOperator):
    """data * scalar."""

    reference = multiply


class DivideScalar(NonzeroScalar):
    """data / scalar."""

    reference = divide


class ReverseDivide(ScalarOperator):
    """scalar / data."""

    reference = divide_into
    tensors = {"data": Tensor(low=0.5, high=2)}


class ModuloScalar(NonzeroScalar):
    """data - floor(data / scalar) * scalar: the remainder with the divisor's sign."""

    attributes = {"scalar": (MODULUS.low + MODULUS.high) / 2}
    tensors = {"data": NUMERATOR}
    reference = modulo


class PowerScalar(ScalarOperator):
    """data ** scalar.

    The exponent is neither an integer nor a half.
    """

    attributes = {"scalar": 1.75}
    reference = power
    tensors = {"data": Tensor(low=0.5, high=4)}


class ReversePower(ScalarOperator):
    """scalar ** data."""

    reference = power_of

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scalar"] > 0, "scalar", "must be positive")
        return super().outputs()
