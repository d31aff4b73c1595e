"""PyTorch's scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_of(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Compose: of several results the first is kept, where others would be dropped."""

    def composition() -> Any:
        return call(data, dim=axis)[0]

    return composition


def flat_differences(call: Callable[..., Any], data: Any) -> Step:
    """Differences of a view as one row."""
    return lambda: call(data.view(-1))
