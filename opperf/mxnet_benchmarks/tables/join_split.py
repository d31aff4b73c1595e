"""MXNet's callables for the operators of join_split, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.interface import numpy_interface, numpy_sequence
from opperf.mxnet_benchmarks.binding.join_split import split_sizes, unbind
from opperf.operators.join_split import join_split, join_stacks, parts

SECTIONS = {"sections": "indices_or_sections"}

TABLE = {
    # Concat: the backward copies.
    join_split.Concat: native("mxnet.nd.concat", rename={"axis": "dim"}),
    join_split.Stack: native("mxnet.nd.stack"),
    # Split: the parts are copies.
    join_split.Split: native("mxnet.nd.split"),
    join_stacks.HStack: numpy_sequence("mxnet.np.hstack"),
    join_stacks.VStack: numpy_sequence("mxnet.np.vstack"),
    join_stacks.DStack: numpy_sequence("mxnet.np.dstack"),
    join_stacks.ColumnStack: numpy_sequence("mxnet.np.column_stack"),
    # HSplit: the parts are copies, here and below.
    parts.HSplit: numpy_interface("mxnet.np.hsplit", rename=SECTIONS),
    parts.VSplit: numpy_interface("mxnet.np.vsplit", rename=SECTIONS),
    parts.DSplit: numpy_interface("mxnet.np.dsplit", rename=SECTIONS),
    parts.ArraySplit: numpy_interface("mxnet.np.array_split", rename=SECTIONS),
    parts.SplitSizes: built("mxnet.nd.split_v2", split_sizes),
    parts.Unbind: built("mxnet.nd.split", unbind),
}
