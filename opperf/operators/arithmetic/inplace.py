"""In-place arithmetic of one tensor."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.elementwise import Unary
from opperf.operators.arithmetic.scalars import add, multiply


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
