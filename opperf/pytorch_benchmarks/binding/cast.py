"""PyTorch's casts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def convert(call: Callable[..., Any], data: Any, *, to: str) -> Step:
    """Convert to the dtype, always by a copy."""
    import torch

    return partial(call, data, getattr(torch, to), copy=True)
