"""PyTorch's logic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def all_finite(is_finite: Callable[..., Any], every: Callable[..., Any], data: Any) -> Step:
    """Compose; the answer is kept as an array of one, as MXNet's is."""
    flat = data.reshape(-1)

    def composition() -> Any:
        return every(is_finite(flat), 0, keepdim=True)

    return composition
