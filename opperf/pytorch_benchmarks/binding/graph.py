"""PyTorch's combination of segments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def segments(call: Callable[..., Any], data: Any, lengths: Any, *, rule: str) -> Step:
    """Bind; the lengths are not checked again."""
    return partial(call, data, rule, lengths=lengths, unsafe=True)


def reduction(rule: str) -> Implementation:
    """Return the combination by this rule."""
    return built("torch.segment_reduce", partial(segments, rule=rule))
