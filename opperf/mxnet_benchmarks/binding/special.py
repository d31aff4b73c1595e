"""MXNet's special functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def logit(divide: Callable[..., Any], log: Callable[..., Any], data: Any) -> Step:
    """log(data / (1 - data))."""
    return lambda: log(divide(data, 1 - data))
