"""PyTorch's changes of shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def move_axis(
    move: Callable[..., Any], store: Callable[..., Any], data: Any, *, source: int, destination: int
) -> Step:
    """Movedim -> copy: the call alone returns a view."""

    def composition() -> Any:
        return store(move(data, source, destination))

    return composition


def flip(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Return flip of one axis."""
    return partial(call, data, (axis,))


def depth_to_space(
    permute: Callable[..., Any], reshape: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """Reshape -> permute -> reshape: torch.pixel_shuffle counts the channel first."""
    n, c, h, w = data.shape
    parts, whole = (n, block, block, c // block**2, h, w), (n, c // block**2, h * block, w * block)

    def composition() -> Any:
        return reshape(permute(data.view(parts), (0, 3, 4, 1, 5, 2)), whole)

    return composition


def space_to_depth(
    permute: Callable[..., Any], reshape: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """Reshape -> permute -> reshape: torch.pixel_unshuffle counts the channel first."""
    n, c, h, w = data.shape
    parts = n, c, h // block, block, w // block, block
    whole = n, c * block**2, h // block, w // block

    def composition() -> Any:
        return reshape(permute(data.view(parts), (0, 3, 5, 1, 2, 4)), whole)

    return composition


def as_strided(call: Callable[..., Any], data: Any, *, window: int) -> Step:
    """as_strided with sizes and strides."""
    rows, columns = data.shape
    return partial(call, data, (rows, columns - window + 1, window), (columns, 1, 1))


def channels_last(call: Callable[..., Any], data: Any) -> Step:
    """Return contiguous in the channels-last memory format."""
    import torch

    return partial(call, data, memory_format=torch.channels_last)


def size_array(call: Callable[..., Any], data: Any) -> Step:
    """A tensor of the number of elements, which is known without reading them."""
    return lambda: call([data.numel()])
