"""MXNet's preparation of images."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def crop(call: Callable[..., Any], data: Any, *, border: int) -> Step:
    """The image without its border, by corner and size."""
    height, width, _ = data.shape
    size = {"width": width - 2 * border, "height": height - 2 * border}
    return partial(call, data, x=border, y=border, **size)
