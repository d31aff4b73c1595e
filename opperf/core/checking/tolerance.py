"""How far from the reference: each element by its own size, unless an operator says why not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

RELATIVE_ERROR = MappingProxyType(
    {"float64": 1e-9, "float32": 1e-4, "float16": 4e-3, "bfloat16": 3e-2}
)
"""Of the element's own size, for what cancels nothing; eight roundings in half precision."""
STEPS_ERROR = MappingProxyType(
    {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}
)
"""Of the element's own size, where many steps are rounded to half precision one after another."""
TERMS_ERROR = MappingProxyType(
    {"float64": 1e-10, "float32": 4e-6, "float16": 8e-3, "bfloat16": 5e-2}
)
"""Of the tensor's root mean square, where a few terms cancel, each rounded for itself."""
SUMS_ERROR = MappingProxyType(
    {"float64": 3e-10, "float32": 4e-5, "float16": 2e-2, "bfloat16": 1e-1}
)
"""Of the tensor's root mean square, where sums of many terms do, rounded as they grow."""
SMALLEST_NORMAL = MappingProxyType(
    {
        "float64": float(np.finfo("float64").tiny),
        "float32": float(np.finfo("float32").tiny),
        "float16": float(np.finfo("float16").tiny),
        "bfloat16": float(np.finfo("float32").tiny),
    }
)
"""Below these, values lose digits (bfloat16 has the exponents of float32)."""
DIFFERENCES_RELATIVE, DIFFERENCES_ABSOLUTE = 1e-6, 1e-8
"""What finite differences are good to: of a gradient's element, and of the root mean square."""
NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Bound:
    """The error allowed of each element: rtol * |expected| + atol * rms(expected).

    It is rtol * smallest at the least: below the smallest normal value, digits are lost.
    """

    rtol: float
    atol: float = 0.0
    smallest: float = SMALLEST_NORMAL["float64"]

    @property
    def share(self) -> float:
        """The share of the root mean square that stands beside an element's own size."""
        return self.atol / self.rtol if self.rtol else 0.0

    def widened(self, factor: float) -> Bound:
        """Return the bound that allows so many times the error."""
        return replace(self, rtol=self.rtol * factor, atol=self.atol * factor)

    def numerical(self) -> Bound:
        """Return the bound for a reference that is itself found by finite differences."""
        return replace(
            self,
            rtol=max(self.rtol, DIFFERENCES_RELATIVE),
            atol=max(self.atol, DIFFERENCES_ABSOLUTE),
        )


EXACT = Bound(0.0)


@dataclass(frozen=True)
class Tolerance:
    """What an operator declares of its outputs or gradients, by dtype; `reason` says why.

    `rtol` is a share of the element's own size, `atol` one of the tensor's root mean square. Whole
    numbers and truth values are exact.
    """

    reason: str = ""
    rtol: Mapping[str, float] = field(default_factory=lambda: RELATIVE_ERROR)
    atol: Mapping[str, float] = field(default_factory=lambda: NOTHING)

    def because(self, reason: str) -> Tolerance:
        """Return the same tolerance with the reason of one operator."""
        return replace(self, reason=reason)

    def with_rtol(self, reason: str, **rtol: float) -> Tolerance:
        """Return the tolerance with other relative errors in some dtypes, and the reason."""
        return replace(self, reason=reason, rtol={**self.rtol, **rtol})

    def with_atol(self, reason: str, **atol: float) -> Tolerance:
        """Return the tolerance with other absolute errors in some dtypes, and the reason."""
        return replace(self, reason=reason, atol={**self.atol, **atol})

    def bound(self, dtype: str) -> Bound:
        """Return what this allows in a dtype."""
        if dtype not in self.rtol:
            return EXACT
        return Bound(self.rtol[dtype], self.atol.get(dtype, 0.0), SMALLEST_NORMAL[dtype])


RELATIVE = Tolerance()
"""The default: every element, however small, by its own size."""
ROUNDED_STEPS = Tolerance("many roundings one after another, of which none cancels", STEPS_ERROR)
CANCELING_TERMS = Tolerance("the roundings of terms that cancel remain", STEPS_ERROR, TERMS_ERROR)
CANCELING_SUMS = Tolerance(
    "the roundings of many terms that cancel remain", STEPS_ERROR, SUMS_ERROR
)
