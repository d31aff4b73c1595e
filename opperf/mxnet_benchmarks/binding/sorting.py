"""MXNet's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def search(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Return argmax or argmin by the NumPy interface, whose positions are int64."""
    return partial(call, data.as_np_ndarray(), axis=axis)


def max_with_indices(
    most: Callable[..., Any], find: Callable[..., Any], data: Any, *, axis: int
) -> Step:
    """Return max and argmax, whose positions are int64 by the NumPy interface."""
    positions = search(find, data, axis=axis)
    return lambda: (most(data, axis=axis), positions())


def histogram(call: Callable[..., Any], data: Any, *, bins: int, low: float, high: float) -> Step:
    """The histogram over the range."""
    return partial(call, data, bins, (low, high))
