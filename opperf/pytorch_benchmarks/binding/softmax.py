"""PyTorch's softmax and its variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.operators.softmax import softmax

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def softmax_temperature(
    divide: Callable[..., Any],
    call: Callable[..., Any],
    data: Any,
    *,
    axis: int,
    temperature: float,
) -> Step:
    """Divide by the temperature -> softmax."""

    def composition() -> Any:
        return call(divide(data, temperature), axis)

    return composition


def masked_softmax(
    replace: Callable[..., Any], call: Callable[..., Any], data: Any, mask: Any, *, axis: int
) -> Step:
    """masked_fill with a bool mask -> softmax."""
    truth = mask.bool()

    def composition() -> Any:
        return call(replace(data, truth, softmax.MASKED), axis)

    return composition
