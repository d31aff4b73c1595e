"""MXNet's operators, told to store their results in their inputs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def stored(call: Callable[..., Any], data: Any) -> Step:
    """Bind the input as the output as well."""
    return partial(call, data, out=data)
