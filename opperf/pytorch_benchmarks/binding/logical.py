"""PyTorch's logical operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def all_finite(is_finite: Callable[..., Any], every: Callable[..., Any], data: Any) -> Step:
    """Isfinite -> all, as an array of one element."""
    flat = data.reshape(-1)

    def composition() -> Any:
        return every(is_finite(flat), 0, keepdim=True)

    return composition
