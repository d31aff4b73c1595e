"""PyTorch's callables for the operators of indexing, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.indexing import (
    elements,
    indexing,
    inplace_indexing,
    masks,
    positions,
    rows,
    slices,
    where,
)
from opperf.pytorch_benchmarks.binding.indexing import (
    bool_mask,
    choose,
    corner,
    cut,
    fill_element,
    gather_nd,
    index_array,
    index_put,
    pick,
    ravel,
    rows_of,
    rowwise,
    scatter_maximum,
    scatter_nd,
    select,
    slice_scatter,
    take,
    unravel,
)

TABLE = {
    elements.Gather: built("torch.gather", rowwise),
    elements.Scatter: built("torch.scatter", rowwise),
    elements.ScatterAdd: built("torch.scatter_add", rowwise),
    elements.ScatterReduce: built("torch.scatter_reduce", scatter_maximum),
    elements.IndexPut: built("torch.index_put", index_put),
    elements.Pick: built("torch.gather + torch.squeeze", pick),
    elements.FillElement: built("torch.scatter", fill_element),
    indexing.Take: built("torch.index_select", take),
    indexing.GatherND: built("torch.Tensor.__getitem__", gather_nd),
    # ScatterND: what a repeated point leaves behind is undefined unless the form accumulates.
    indexing.ScatterND: built("torch.zeros + torch.Tensor.index_put_", scatter_nd),
    inplace_indexing.IIndexAdd: built("torch.Tensor.index_add_", rowwise),
    inplace_indexing.IScatterAdd: built("torch.Tensor.scatter_add_", rowwise),
    inplace_indexing.IIndexPut: built("torch.Tensor.index_put_", index_put),
    masks.BooleanMask: built("torch.Tensor.__getitem__", bool_mask),
    masks.MaskedSelect: built("torch.masked_select", bool_mask),
    masks.MaskedScatter: built("torch.masked_scatter", bool_mask),
    positions.NonZero: native("torch.nonzero"),
    positions.UnravelIndex: built("torch.unravel_index + torch.stack", unravel),
    positions.RavelMultiIndex: built("torch.mul + torch.sum", ravel),
    positions.IndexArray: built("torch.arange + torch.meshgrid + torch.stack", index_array),
    positions.SearchSorted: native("torch.searchsorted"),
    rows.IndexCopy: built("torch.index_copy", rowwise),
    rows.IndexAdd: built("torch.index_add", rowwise),
    rows.IndexFill: built("torch.index_fill", rowwise),
    slices.Slice: built("torch.Tensor.__getitem__ + torch.Tensor.contiguous", cut),
    slices.SliceAxis: built("torch.narrow_copy", rows_of),
    slices.SliceLike: built("torch.Tensor.__getitem__ + torch.Tensor.contiguous", corner),
    slices.Select: built("torch.select_copy", select),
    slices.SliceScatter: built("torch.slice_scatter", slice_scatter),
    slices.SelectScatter: native("torch.select_scatter", dim=1),
    slices.DiagonalScatter: native("torch.diagonal_scatter"),
    # Where: the condition is bool.
    where.Where: built("torch.where", choose),
}
