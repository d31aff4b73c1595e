"""MXNet's cumulative operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def cumulative_sum(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """cumsum(data); MXNet takes no negative axis."""
    return partial(call, data, axis=axis % data.ndim)
