"""PyTorch's choice between elements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def choose(call: Callable[..., Any], condition: Any, x: Any, y: Any) -> Step:
    """where, with a bool condition, the only dtype that PyTorch takes."""
    return partial(call, condition.bool(), x, y)
