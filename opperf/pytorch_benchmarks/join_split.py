"""PyTorch's joining and splitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import join_split

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def join(call: Callable[..., Any], *tensors: Any, axis: int) -> Step:
    """Bind; torch takes the tensors as one sequence."""
    return partial(call, tensors, axis)


def split(call: Callable[..., Any], data: Any, *, num_outputs: int, axis: int) -> Step:
    """Bind; torch takes the length of a part, not their number."""
    return partial(call, data, data.shape[axis] // num_outputs, axis)


TABLE = {
    join_split.Concat: built("torch.cat", join),
    join_split.Stack: built("torch.stack", join),
    join_split.Split: built("torch.split_copy", split),
}
