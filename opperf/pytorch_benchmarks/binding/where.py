"""PyTorch's choice between elements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def choose(call: Callable[..., Any], condition: Any, x: Any, y: Any) -> Step:
    """Bind, with the condition as bool, the only dtype that torch takes for it."""
    return partial(call, condition.bool(), x, y)
