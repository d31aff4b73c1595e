"""PyTorch's rounding and clipping."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def limit(call: Callable[..., Any], data: Any, **limits: float) -> Step:
    """clamp, with integer limits for integers, which would otherwise become floats."""
    kind = float if data.is_floating_point() else int
    return partial(call, data, *map(kind, limits.values()))


def half_down(subtract: Callable[..., Any], up: Callable[..., Any], data: Any) -> Step:
    """ceil(data - 0.5): torch.round rounds halves to even."""
    return lambda: up(subtract(data, 0.5))
