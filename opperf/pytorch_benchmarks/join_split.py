"""PyTorch's joining and splitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.join_split import join_split, join_stacks
from opperf.operators.join_split import parts as join_split_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def join(call: Callable[..., Any], *tensors: Any, axis: int) -> Step:
    """Bind; torch takes the tensors as one sequence."""
    return partial(call, tensors, axis)


def split(call: Callable[..., Any], data: Any, *, num_outputs: int, axis: int) -> Step:
    """Bind; torch takes the length of a part, not their number."""
    return partial(call, data, data.shape[axis] // num_outputs, axis)


def sequence(call: Callable[..., Any], *tensors: Any) -> Step:
    """Bind the tensors as one sequence."""
    return partial(call, tensors)


def split_sizes(call: Callable[..., Any], data: Any, *, lengths: tuple[int, ...]) -> Step:
    """Bind the last axis."""
    return partial(call, data, lengths, -1)


TABLE = {
    join_split.Concat: built("torch.cat", join),
    join_split.Stack: built("torch.stack", join),
    join_split.Split: built("torch.split_copy", split),
    join_stacks.HStack: built("torch.hstack", sequence),
    join_stacks.VStack: built("torch.vstack", sequence),
    join_stacks.DStack: built("torch.dstack", sequence),
    join_stacks.ColumnStack: built("torch.column_stack", sequence),
    join_split_parts.HSplit: native("torch.hsplit"),
    join_split_parts.VSplit: native("torch.vsplit"),
    join_split_parts.DSplit: native("torch.dsplit"),
    join_split_parts.ArraySplit: native("torch.tensor_split"),
    join_split_parts.SplitSizes: built("torch.split_with_sizes_copy", split_sizes),
    join_split_parts.Unbind: native("torch.unbind_copy"),
    join_stacks.BlockDiag: native("torch.block_diag"),
    join_stacks.CartesianProduct: native("torch.cartesian_prod"),
}
