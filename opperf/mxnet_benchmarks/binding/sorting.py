"""MXNet's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def search(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind the array to the NumPy interface, whose positions are int64, not of the data's dtype."""
    return partial(call, data.as_np_ndarray(), axis=axis)


def histogram(call: Callable[..., Any], data: Any, *, bins: int, low: float, high: float) -> Step:
    """Bind the range."""
    return partial(call, data, bins, (low, high))
