"""MXNet's in-place operators, which store their result in an input."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def in_place(call: Callable[..., Any], data: Any, *others: Any) -> Step:
    """Return the binding with the first input as the output."""
    return partial(call, data, *others, out=data)
