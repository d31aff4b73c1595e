"""MXNet's joining and splitting."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface, numpy_sequence
from opperf.operators.join_split import join_split, join_stacks
from opperf.operators.join_split import parts as join_split_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

SECTIONS = {"sections": "indices_or_sections"}


def split_sizes(call: Callable[..., Any], data: Any, *, lengths: tuple[int, ...]) -> Step:
    """Bind where each part but the first begins."""
    starts = (0, *accumulate(lengths[:-1]))
    return partial(call, data, starts[1:], len(data.shape) - 1)


def unbind(call: Callable[..., Any], data: Any) -> Step:
    """Bind as a split into slices of one."""
    return partial(call, data, num_outputs=data.shape[0], axis=0, squeeze_axis=True)


TABLE = {
    join_split.Concat: native("mxnet.nd.concat", rename={"axis": "dim"}),
    join_split.Stack: native("mxnet.nd.stack"),
    join_split.Split: native("mxnet.nd.split"),
    join_stacks.HStack: numpy_sequence("mxnet.np.hstack"),
    join_stacks.VStack: numpy_sequence("mxnet.np.vstack"),
    join_stacks.DStack: numpy_sequence("mxnet.np.dstack"),
    join_stacks.ColumnStack: numpy_sequence("mxnet.np.column_stack"),
    join_split_parts.HSplit: numpy_interface("mxnet.np.hsplit", rename=SECTIONS),
    join_split_parts.VSplit: numpy_interface("mxnet.np.vsplit", rename=SECTIONS),
    join_split_parts.DSplit: numpy_interface("mxnet.np.dsplit", rename=SECTIONS),
    join_split_parts.ArraySplit: numpy_interface("mxnet.np.array_split", rename=SECTIONS),
    join_split_parts.SplitSizes: built("mxnet.nd.split_v2", split_sizes),
    join_split_parts.Unbind: built("mxnet.nd.split", unbind),
}
