"""PyTorch's normalizations within one sample."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def layer_norm(call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, eps: float) -> Step:
    """layer_norm; PyTorch takes the normalized shape."""
    return partial(call, data, gamma.shape, gamma, beta, eps)


def instance_norm(
    call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, eps: float
) -> Step:
    """instance_norm without running statistics."""
    return partial(call, data, weight=gamma, bias=beta, eps=eps)


def group_norm(
    call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, groups: int, eps: float
) -> Step:
    """group_norm."""
    return partial(call, data, groups, gamma, beta, eps)
