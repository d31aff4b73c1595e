"""PyTorch's joining and splitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def join(call: Callable[..., Any], *tensors: Any, axis: int) -> Step:
    """Return cat or stack of the tensors as one sequence."""
    return partial(call, tensors, axis)


def split(call: Callable[..., Any], data: Any, *, num_outputs: int, axis: int) -> Step:
    """split_copy; PyTorch takes the length of a part, not the number of parts."""
    return partial(call, data, data.shape[axis] // num_outputs, axis)


def sequence(call: Callable[..., Any], *tensors: Any) -> Step:
    """A call with the tensors as one sequence."""
    return partial(call, tensors)


def split_sizes(call: Callable[..., Any], data: Any, *, lengths: tuple[int, ...]) -> Step:
    """Return split of the last axis by lengths."""
    return partial(call, data, lengths, -1)
