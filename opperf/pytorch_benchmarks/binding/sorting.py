"""PyTorch's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def sort(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """sort, without its positions: no public call returns the values alone."""

    def values() -> Any:
        return call(data, axis)[0]

    return values


def histogram(call: Callable[..., Any], data: Any, *, bins: int, low: float, high: float) -> Step:
    """Return histogram over the range."""
    return partial(call, data, bins, range=(low, high))


def percentile(call: Callable[..., Any], data: Any, *, q: float, axis: int) -> Step:
    """quantile; PyTorch takes a share of 1."""
    return partial(call, data, q / 100, axis)
