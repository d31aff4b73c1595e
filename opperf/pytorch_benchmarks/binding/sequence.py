"""PyTorch's sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def mask(steps: Callable[..., Any], fill: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Comparison of the lengths with steps counted beforehand -> masked_fill."""
    positions = steps(len(data), device=data.device)[:, None]

    def composition() -> Any:
        return fill(data, (positions >= lengths)[..., None], 0.0)

    return composition


def last(index: Callable[..., Any], steps: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Subtract -> index; torch indexes by int64, which the lengths are made beforehand."""
    counts, batch = lengths.long(), steps(data.shape[1], device=data.device)

    def composition() -> Any:
        return index(data, (counts - 1, batch))

    return composition


def pack(call: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Bind the lengths, which torch wants on the CPU, and return the elements alone."""
    counts = lengths.cpu().long()
    return lambda: call(data, counts).data
