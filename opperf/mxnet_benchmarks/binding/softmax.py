"""MXNet's softmax and its variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.operators.softmax import softmax

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def masked_softmax(
    choose: Callable[..., Any], call: Callable[..., Any], data: Any, mask: Any, *, axis: int
) -> Step:
    """where(mask, scores, data) -> softmax, with the masked scores in a tensor for `where`."""
    scores = (data.detach() * 0) + softmax.MASKED

    def composition() -> Any:
        return call(choose(mask, scores, data), axis=axis)

    return composition
