"""PyTorch's comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def all_close(
    close: Callable[..., Any], every: Callable[..., Any], lhs: Any, rhs: Any, **limits: float
) -> Step:
    """Isclose -> all, as in torch.allclose, which returns a Python bool."""

    def composition() -> Any:
        return every(close(lhs, rhs, **limits))

    return composition
