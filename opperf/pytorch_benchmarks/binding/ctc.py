"""PyTorch's CTC loss, which takes logarithms of probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def ctc_loss(
    value: Callable[..., Any], log_softmax: Callable[..., Any], data: Any, label: Any
) -> Step:
    """log_softmax -> ctc_loss, of full sequences."""
    steps, batch, _ = data.shape
    lengths = (steps,) * batch, tuple(label.shape[1:]) * batch

    def composition() -> Any:
        return value(log_softmax(data, -1), label, *lengths, reduction="none")

    return composition
