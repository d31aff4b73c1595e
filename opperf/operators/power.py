"""Powers with a fixed exponent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.elementwise import Unary

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array

POSITIVE = Tensor(low=0.1, high=10)


def reciprocal_root(data: Array) -> Array:
    """Return 1 / sqrt(x)."""
    return 1 / np.sqrt(data)


def reciprocal_cube_root(data: Array) -> Array:
    """Return 1 / cbrt(x)."""
    return 1 / np.cbrt(data)


class Sqrt(Unary):
    """The square root of each element."""

    reference = np.sqrt
    tensors = {"data": POSITIVE}
    tags = ("core",)


class Square(Unary):
    """The square of each element."""

    reference = np.square
    dtypes = DTYPES


class Rsqrt(Unary):
    """One over the square root of each element."""

    reference = reciprocal_root
    tensors = {"data": POSITIVE}


class Reciprocal(Unary):
    """One over each element."""

    reference = np.reciprocal
    tensors = {"data": Tensor(low=0.5, high=4)}


class Cbrt(Unary):
    """The cube root of each element."""

    reference = np.cbrt
    tensors = {"data": POSITIVE}


class Rcbrt(Unary):
    """One over the cube root of each element."""

    reference = reciprocal_cube_root
    tensors = {"data": POSITIVE}
