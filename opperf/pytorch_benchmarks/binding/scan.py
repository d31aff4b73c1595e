"""PyTorch's cumulative operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_along(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Keep the first of several results along an axis."""

    def composition() -> Any:
        return call(data, dim=axis)[0]

    return composition


def flat_differences(call: Callable[..., Any], data: Any) -> Step:
    """Return diff of the flattened view."""
    return lambda: call(data.view(-1))
