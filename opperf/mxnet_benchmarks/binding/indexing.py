"""MXNet's indexing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def cut(call: Callable[..., Any], data: Any, *, border: int) -> Step:
    """The images without their borders, by begin and end."""
    _, _, height, width = data.shape
    begin, end = (None, None, border, border), (None, None, height - border, width - border)
    return partial(call, data, begin=begin, end=end)


def select(cut: Callable[..., Any], view: Callable[..., Any], data: Any, *, index: int) -> Step:
    """slice_axis -> reshape without the axis."""
    shape = (data.shape[0], *data.shape[2:])
    return lambda: view(cut(data, axis=1, begin=index, end=index + 1), shape)


def index_fill(
    copy: Callable[..., Any], full: Callable[..., Any], data: Any, index: Any, *, value: float
) -> Step:
    """Overwrite rows by rows of the value, made beforehand."""
    return partial(copy, data, index, full((len(index), data.shape[1]), value, dtype=data.dtype))


def masked_select(call: Callable[..., Any], view: Callable[..., Any], data: Any, mask: Any) -> Step:
    """boolean_mask of the flattened tensors."""
    return lambda: call(view(data, -1), view(mask, -1))
