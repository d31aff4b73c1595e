"""PyTorch's sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def mask(steps: Callable[..., Any], fill: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Steps >= lengths -> masked_fill, with the steps made beforehand."""
    positions = steps(len(data), device=data.device)[:, None]

    def composition() -> Any:
        return fill(data, (positions >= lengths)[..., None], 0.0)

    return composition


def last(index: Callable[..., Any], steps: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Lengths - 1 -> index, with int64 lengths made beforehand."""
    counts, batch = lengths.long(), steps(data.shape[1], device=data.device)

    def composition() -> Any:
        return index(data, (counts - 1, batch))

    return composition


def pack(call: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """pack_padded_sequence with lengths on the CPU, as PyTorch requires; returns the elements."""
    counts = lengths.cpu().long()
    return lambda: call(data, counts).data
