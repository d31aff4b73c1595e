"""MXNet's rounding and clipping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def fraction(whole: Callable[..., Any], subtract: Callable[..., Any], data: Any) -> Step:
    """Return data - trunc(data)."""
    return lambda: subtract(data, whole(data))
