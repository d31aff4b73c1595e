"""PyTorch's callables for the operators of join_split, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.join_split import join_split, join_stacks, parts
from opperf.pytorch_benchmarks.binding.join_split import join, sequence, split, split_sizes

TABLE = {
    # Concat: the backward returns views.
    join_split.Concat: built("torch.cat", join),
    join_split.Stack: built("torch.stack", join),
    # Split: torch.split_copy: torch.split would return views.
    join_split.Split: built("torch.split_copy", split),
    join_stacks.HStack: built("torch.hstack", sequence),
    join_stacks.VStack: built("torch.vstack", sequence),
    join_stacks.DStack: built("torch.dstack", sequence),
    join_stacks.ColumnStack: built("torch.column_stack", sequence),
    join_stacks.BlockDiag: native("torch.block_diag"),
    join_stacks.CartesianProduct: native("torch.cartesian_prod"),
    # HSplit: the parts are views, here and below.
    parts.HSplit: native("torch.hsplit"),
    parts.VSplit: native("torch.vsplit"),
    parts.DSplit: native("torch.dsplit"),
    parts.ArraySplit: native("torch.tensor_split"),
    parts.SplitSizes: built("torch.split_with_sizes_copy", split_sizes),
    parts.Unbind: native("torch.unbind_copy"),
}
