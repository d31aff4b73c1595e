"""MXNet's indexing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.indexing import elements as indexing_elements
from opperf.operators.indexing import indexing
from opperf.operators.indexing import masks as indexing_masks
from opperf.operators.indexing import positions as indexing_positions
from opperf.operators.indexing import rows as indexing_rows
from opperf.operators.indexing import slices as indexing_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def cut(call: Callable[..., Any], data: Any, *, border: int) -> Step:
    """Bind where the images begin and end."""
    _, _, height, width = data.shape
    begin, end = (None, None, border, border), (None, None, height - border, width - border)
    return partial(call, data, begin=begin, end=end)


def select(cut: Callable[..., Any], view: Callable[..., Any], data: Any, *, index: int) -> Step:
    """slice_axis -> view without the axis."""
    shape = (data.shape[0], *data.shape[2:])
    return lambda: view(cut(data, axis=1, begin=index, end=index + 1), shape)


def index_fill(
    copy: Callable[..., Any], full: Callable[..., Any], data: Any, index: Any, *, value: float
) -> Step:
    """Bind rows of the value, made beforehand."""
    return partial(copy, data, index, full((len(index), data.shape[1]), value, dtype=data.dtype))


def masked_select(call: Callable[..., Any], view: Callable[..., Any], data: Any, mask: Any) -> Step:
    """boolean_mask of views as one row."""
    return lambda: call(view(data, -1), view(mask, -1))


TABLE = {
    indexing.Take: native("mxnet.nd.take"),
    indexing.GatherND: native("mxnet.nd.gather_nd"),
    indexing.ScatterND: native("mxnet.nd.scatter_nd"),
    indexing_slices.Slice: built("mxnet.nd.slice", cut),
    indexing_slices.SliceAxis: native("mxnet.nd.slice_axis", axis=0),
    indexing_slices.SliceLike: native("mxnet.nd.slice_like"),
    indexing_slices.Select: built("mxnet.nd.slice_axis + mxnet.nd.NDArray.reshape", select),
    indexing_rows.IndexFill: built("mxnet.nd.contrib.index_copy + mxnet.nd.full", index_fill),
    indexing_masks.MaskedSelect: built(
        "mxnet.nd.contrib.boolean_mask + mxnet.nd.NDArray.reshape", masked_select
    ),
    indexing_rows.IndexCopy: native("mxnet.nd.contrib.index_copy"),
    indexing_elements.Pick: native("mxnet.nd.pick", axis=1),
    indexing_elements.FillElement: native("mxnet.nd.fill_element_0index"),
    indexing_masks.BooleanMask: native("mxnet.nd.contrib.boolean_mask"),
    indexing_positions.NonZero: numpy_interface("mxnet.npx.nonzero"),
    indexing_positions.UnravelIndex: native("mxnet.nd.unravel_index"),
    indexing_positions.RavelMultiIndex: native("mxnet.nd.ravel_multi_index"),
    indexing_positions.IndexArray: native("mxnet.nd.contrib.index_array"),
}
