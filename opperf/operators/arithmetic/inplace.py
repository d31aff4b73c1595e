"""Arithmetic of one tensor, stored where it was read."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.elementwise import Unary
from opperf.operators.arithmetic.scalars import add, multiply


class InplaceUnary(Unary, abstract=True):
    """An operator that stores its result in its tensor."""

    tensors: ClassVar[dict[str, Tensor]] = {"data": Tensor(mutated=True)}
    differentiable = False


class INegative(InplaceUnary):
    """The tensor with its sign reversed, stored in it."""

    reference = np.negative
    dtypes = DTYPES


class IAbs(InplaceUnary):
    """The absolute value of each element, stored in its place."""

    reference = np.abs
    dtypes = DTYPES


class ISqrt(InplaceUnary):
    """The square root of each element, stored in its place."""

    tensors = {"data": Tensor(low=0.1, high=10, mutated=True)}
    reference = np.sqrt


class IAddScalar(InplaceUnary):
    """Each element and a number, stored in its place."""

    attributes = {"scalar": 1.5}
    reference = add


class IMultiplyScalar(InplaceUnary):
    """Each element times a number, stored in its place, as gradients are scaled and decayed."""

    attributes = {"scalar": 1.5}
    reference = multiply
