"""PyTorch's segment reductions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def segments(call: Callable[..., Any], data: Any, lengths: Any, *, rule: str) -> Step:
    """segment_reduce without a check of the lengths."""
    return partial(call, data, rule, lengths=lengths, unsafe=True)


def reduction(rule: str) -> Implementation:
    """Return the segment reduction of this type."""
    return built("torch.segment_reduce", partial(segments, rule=rule))
