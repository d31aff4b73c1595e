"""MXNet's normalizations that scale only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def weight_norm(call: Callable[..., Any], scale: Callable[..., Any], data: Any, gamma: Any) -> Step:
    """Return g * L2Normalization(v), row by row."""
    return lambda: scale(call(data, mode="instance", eps=0.0), gamma)
