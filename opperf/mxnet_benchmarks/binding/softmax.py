"""MXNet's softmax family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.operators.softmax import softmax

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def masked(
    choose: Callable[..., Any], call: Callable[..., Any], data: Any, mask: Any, *, axis: int
) -> Step:
    """Compose, with the scores of what is masked in a tensor, as MXNet's choice asks for."""
    scores = (data.detach() * 0) + softmax.MASKED

    def composition() -> Any:
        return call(choose(mask, scores, data), axis=axis)

    return composition
