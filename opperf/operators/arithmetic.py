"""Arithmetic of two tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import DTYPES, Tensor
from opperf.operators.elementwise import Binary

if TYPE_CHECKING:
    from opperf.core.tensor import Shape


class Add(Binary):
    """The sum of two tensors."""

    category = "arithmetic"
    reference = staticmethod(np.add)
    dtypes = DTYPES


class Inplace(Binary):
    """An operator that stores its result in its left tensor."""

    differentiable = False
    tensors = {"lhs": Tensor(mutated=True), "rhs": Tensor()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the left tensor's shape, which the result must have."""
        (shape,) = super().outputs()
        self.require(shape == self.inputs["lhs"], "rhs", f"broadcasts beyond lhs, to {shape}")
        return (shape,)


class IMul(Inplace):
    """The product of two tensors, stored in the left one."""

    category = "arithmetic"
    reference = staticmethod(np.multiply)
    result_name = "Inplace_Multiply"
