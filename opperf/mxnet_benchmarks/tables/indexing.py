"""MXNet's callables for the operators of indexing, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, SizeThreshold, rounded_sums
from opperf.mxnet_benchmarks.binding.indexing import cut, index_fill, masked_select, select
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.limits import selection_size
from opperf.operators.indexing import elements, indexing, masks, positions, rows, slices, where

TABLE = {
    elements.Pick: native("mxnet.nd.pick", axis=1),
    elements.FillElement: native("mxnet.nd.fill_element_0index"),
    indexing.Take: native("mxnet.nd.take").limited(
        rounded_sums("bfloat16", SizeThreshold(2**22, "elements taken", selection_size), BACKWARD),
    ),
    indexing.GatherND: native("mxnet.nd.gather_nd"),
    # ScatterND: what a repeated point leaves behind is undefined.
    indexing.ScatterND: native("mxnet.nd.scatter_nd"),
    masks.BooleanMask: native("mxnet.nd.contrib.boolean_mask"),
    masks.MaskedSelect: built(
        "mxnet.nd.contrib.boolean_mask + mxnet.nd.NDArray.reshape", masked_select
    ),
    positions.NonZero: numpy_interface("mxnet.npx.nonzero"),
    positions.UnravelIndex: native("mxnet.nd.unravel_index"),
    positions.RavelMultiIndex: native("mxnet.nd.ravel_multi_index"),
    positions.IndexArray: native("mxnet.nd.contrib.index_array"),
    rows.IndexCopy: native("mxnet.nd.contrib.index_copy"),
    rows.IndexFill: built("mxnet.nd.contrib.index_copy + mxnet.nd.full", index_fill),
    slices.Slice: built("mxnet.nd.slice", cut),
    slices.SliceAxis: native("mxnet.nd.slice_axis", axis=0),
    slices.SliceLike: native("mxnet.nd.slice_like"),
    slices.Select: built("mxnet.nd.slice_axis + mxnet.nd.NDArray.reshape", select),
    # Where: the condition is int8, and no tensor is broadcast.
    where.Where: native("mxnet.nd.where"),
}
