"""MXNet's rounding and limiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def fraction(whole: Callable[..., Any], subtract: Callable[..., Any], data: Any) -> Step:
    """Trunc -> subtract."""
    return lambda: subtract(data, whole(data))
