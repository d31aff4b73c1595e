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
    """1 / sqrt(x)."""
    return 1 / np.sqrt(data)


def reciprocal_cube_root(data: Array) -> Array:
    """1 / cbrt(x)."""
    return 1 / np.cbrt(data)


class Sqrt(Unary):
    """sqrt(data)."""

    reference = np.sqrt
    tensors = {"data": POSITIVE}
    tags = ("core",)


class Square(Unary):
    """data^2."""

    reference = np.square
    dtypes = DTYPES


class Rsqrt(Unary):
    """1 / sqrt(data)."""

    reference = reciprocal_root
    tensors = {"data": POSITIVE}


class Reciprocal(Unary):
    """1 / data."""

    reference = np.reciprocal
    tensors = {"data": Tensor(low=0.5, high=4)}


class Cbrt(Unary):
    """cbrt(data)."""

    reference = np.cbrt
    tensors = {"data": POSITIVE}


class Rcbrt(Unary):
    """1 / cbrt(data)."""

    reference = reciprocal_cube_root
    tensors = {"data": POSITIVE}
