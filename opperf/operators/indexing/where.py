"""Elementwise selection between two tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.elementwise import SHAPES, Elementwise

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Shape


class Where(Elementwise):
    """condition ? x : y, elementwise; the condition is true for half of the elements.

    The condition takes one byte per element.
    """

    tensors = {
        "condition": Tensor(dtype="int8", differentiable=False, low=0, high=1),
        "x": Tensor(),
        "y": Tensor(),
    }
    sizes = {size: dict.fromkeys(("condition", "x", "y"), shape) for size, shape in SHAPES.items()}
    reference = np.where
    dtypes = DTYPES
    tags = ("core",)
    flops_per_element = 0  # a choice is no floating-point operation

    def outputs(self) -> tuple[Shape, ...]:
        """Return the common shape of all three tensors; none is broadcast."""
        shape = self.inputs["condition"]
        for name in ("x", "y"):
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as condition is")
        return (shape,)
