"""PyTorch's normalizations that scale only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def rms_norm(call: Callable[..., Any], data: Any, gamma: Any, *, eps: float) -> Step:
    """rms_norm; PyTorch takes the normalized shape."""
    return partial(call, data, gamma.shape, gamma, eps)
