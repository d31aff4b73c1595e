"""Rounding and limiting of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import DTYPES, INTEGERS
from opperf.operators.elementwise import Unary, chain

if TYPE_CHECKING:
    from opperf.core.tensor import Array, Shape


def within(data: Array, *, a_min: float, a_max: float) -> Array:
    """Return the derivative of clipping: 1 where nothing is cut off, else 0."""
    return (data >= a_min) & (data <= a_max)


class Clip(Unary):
    """Each element limited to [a_min, a_max], which cuts off a third of normal values."""

    attributes = {"a_min": -1.0, "a_max": 1.0}
    reference = staticmethod(np.clip)
    gradient = chain(within)
    dtypes = DTYPES

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        low, high = self.inputs["a_min"], self.inputs["a_max"]
        self.require(low <= high, "a_max", f"must be at least a_min={low}")
        for name in self.attributes:
            fits = self.dtype not in INTEGERS or self.inputs[name].is_integer()
            self.require(fits, name, f"must be a whole number for {self.dtype}")
        return super().outputs()
