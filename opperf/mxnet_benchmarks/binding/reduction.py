"""MXNet's reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def std_mean(call: Callable[..., Any], root: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Moments -> sqrt of the variance."""

    def composition() -> Any:
        mean, variance = call(data, axes=axis)
        return root(variance), mean

    return composition


def extremes(least: Callable[..., Any], most: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Return min and max."""
    return lambda: (least(data, axis=axis), most(data, axis=axis))
