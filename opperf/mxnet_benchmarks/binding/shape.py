"""MXNet's changes of shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pixel_shuffle(call: Callable[..., Any], data: Any, *, block: int) -> Step:
    """The block PixelShuffle2D, made beforehand, which calls reshape and transpose."""
    return partial(call(block), data)


def pixel_unshuffle(
    view: Callable[..., Any], move: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """Reshape -> transpose -> reshape."""
    n, c, h, w = data.shape
    parts = (n, c, h // block, block, w // block, block)
    whole = (n, c * block**2, h // block, w // block)
    return lambda: view(move(view(data, parts), axes=(0, 1, 3, 5, 2, 4)), whole)


def channel_shuffle(
    view: Callable[..., Any], move: Callable[..., Any], data: Any, *, groups: int
) -> Step:
    """Reshape -> swapaxes -> reshape."""
    n, c, h, w = data.shape
    return lambda: view(move(view(data, (n, groups, c // groups, h, w)), 1, 2), (n, c, h, w))
