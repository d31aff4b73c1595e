"""In-place arithmetic of one tensor."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, ITEMSIZE, Tensor
from opperf.declaring.elementwise import Unary
from opperf.operators.arithmetic.scalars import add, multiply
from opperf.operators.arithmetic.ternary import MaskedFill


class InplaceUnary(Unary, abstract=True):
    """An operator that overwrites its tensor."""

    tensors: ClassVar[dict[str, Tensor]] = {"data": Tensor(mutated=True)}
    differentiable = False


class INegative(InplaceUnary):
    """data = -data, in place."""

    reference = np.negative
    dtypes = DTYPES


class IAbs(InplaceUnary):
    """data = |data|, in place."""

    reference = np.abs
    dtypes = DTYPES


class ISqrt(InplaceUnary):
    """data = sqrt(data), in place."""

    tensors = {"data": Tensor(low=0.1, high=10, mutated=True)}
    reference = np.sqrt


class IAddScalar(InplaceUnary):
    """data += scalar."""

    attributes = {"scalar": 1.5}
    reference = add


class IMultiplyScalar(InplaceUnary):
    """data *= scalar, as gradients are scaled and weights decayed."""

    attributes = {"scalar": 1.5}
    reference = multiply


class IMaskedFill(MaskedFill):
    """data = value where mask is true, in place, as attention hides what is not to be seen."""

    tensors = {**MaskedFill.tensors, "data": Tensor(mutated=True)}
    differentiable = False
    unread = {"data": "overwritten where mask is true, left alone elsewhere"}

    def output_bytes(self) -> int:
        """Return the bytes of the half where mask is true."""
        return prod(self.inputs["data"]) // 2 * ITEMSIZE[self.dtype]
