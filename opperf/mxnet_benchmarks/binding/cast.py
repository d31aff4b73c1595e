"""MXNet's casts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


BFLOAT16 = np.dtype([("bfloat16", np.uint16)])
"""bfloat16 in MXNet's Python functions, which do not know the name."""


def element_type(dtype: str) -> Any:
    """Return the dtype as MXNet's functions take it."""
    return BFLOAT16 if dtype == "bfloat16" else dtype


def convert(call: Callable[..., Any], data: Any, *, to: str) -> Step:
    """Convert to the dtype."""
    return partial(call, data, dtype=element_type(to))


def copy(call: Callable[..., Any], target: Any, source: Any) -> Step:
    """Copy rhs to lhs; MXNet's call is a method of the source."""
    return partial(call, source, target)
