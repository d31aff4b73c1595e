"""PyTorch's indexing."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.indexing import elements as indexing_elements
from opperf.operators.indexing import indexing
from opperf.operators.indexing import masks as indexing_masks
from opperf.operators.indexing import positions as indexing_positions
from opperf.operators.indexing import rows as indexing_rows
from opperf.operators.indexing import slices as indexing_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def take(call: Callable[..., Any], data: Any, indices: Any, *, axis: int) -> Step:
    """Bind; torch takes the axis before the indices."""
    return partial(call, data, axis, indices)


def gather_nd(call: Callable[..., Any], data: Any, indices: Any) -> Step:
    """Bind, with one tensor of indices a dimension."""
    return partial(call, data, indices.unbind())


def scatter_nd(
    zeros: Callable[..., Any], put: Callable[..., Any], data: Any, indices: Any, *, shape: Any
) -> Step:
    """Compose the two calls, as torch has no single one."""
    rows, options = indices.unbind(), {"dtype": data.dtype, "device": data.device}

    def composition() -> Any:
        return put(zeros(shape, **options), rows, data)

    return composition


def cut(part: Callable[..., Any], store: Callable[..., Any], data: Any, *, border: int) -> Step:
    """Compose with a copy: the bare part is a view."""
    _, _, height, width = data.shape
    where = (..., slice(border, height - border), slice(border, width - border))

    def composition() -> Any:
        return store(part(data, where))

    return composition


def rows_of(call: Callable[..., Any], data: Any, *, begin: int, end: int) -> Step:
    """Bind; torch takes the length."""
    return partial(call, data, 0, begin, end - begin)


def corner(part: Callable[..., Any], store: Callable[..., Any], data: Any, shape_like: Any) -> Step:
    """Compose likewise."""
    where = tuple(slice(n) for n in shape_like.shape)

    def composition() -> Any:
        return store(part(data, where))

    return composition


def select(call: Callable[..., Any], data: Any, *, index: int) -> Step:
    """Bind the second axis."""
    return partial(call, data, 1, index)


def slice_scatter(call: Callable[..., Any], data: Any, src: Any, *, begin: int) -> Step:
    """Bind the first axis."""
    return partial(call, data, src, 0, begin, begin + len(src))


def rowwise(call: Callable[..., Any], data: Any, *tensors: Any, **attributes: Any) -> Step:
    """Bind; torch takes the axis before the index."""
    return partial(call, data, 0, *tensors, **attributes)


def raised(call: Callable[..., Any], data: Any, index: Any, src: Any) -> Step:
    """Bind likewise, with the rule."""
    return partial(call, data, 0, index, src, "amax")


def fill_element(call: Callable[..., Any], lhs: Any, mhs: Any, rhs: Any) -> Step:
    """Bind a column of values; the columns' numbers are made int64 beforehand."""
    return partial(call, lhs, 1, rhs.long().unsqueeze(1), mhs.unsqueeze(1))


def index_put(call: Callable[..., Any], data: Any, indices: Any, src: Any) -> Step:
    """Bind, with one tensor of indices a dimension."""
    return partial(call, data, indices.unbind(), src, accumulate=True)


def pick(call: Callable[..., Any], view: Callable[..., Any], data: Any, index: Any) -> Step:
    """Compose: torch gathers a column, which is made a vector."""
    column = index.unsqueeze(1)

    def composition() -> Any:
        return view(call(data, 1, column), 1)

    return composition


def masked(call: Callable[..., Any], data: Any, mask: Any, *tensors: Any) -> Step:
    """Bind, with the mask as torch has them."""
    return partial(call, data, mask.bool(), *tensors)


def ravel(
    multiply: Callable[..., Any], add_up: Callable[..., Any], indices: Any, *, shape: Any
) -> Step:
    """Products with the strides, made beforehand -> sum."""
    strides = indices.new_tensor([prod(shape[at + 1 :]) for at in range(len(shape))])[:, None]
    return lambda: add_up(multiply(indices, strides), 0)


def index_array(
    count: Callable[..., Any], grid: Callable[..., Any], stack: Callable[..., Any], data: Any
) -> Step:
    """Arange along each axis -> views of the whole shape -> stack."""

    def composition() -> Any:
        axes = [count(length, device=data.device) for length in data.shape]
        return stack(grid(*axes, indexing="ij"), -1)

    return composition


def unravel(
    call: Callable[..., Any], stack: Callable[..., Any], indices: Any, *, shape: Any
) -> Step:
    """Compose: torch returns a tensor for each dimension."""

    def composition() -> Any:
        return stack(call(indices, shape))

    return composition


TABLE = {
    indexing.Take: built("torch.index_select", take),
    indexing.GatherND: built("torch.Tensor.__getitem__", gather_nd),
    indexing.ScatterND: built("torch.zeros + torch.Tensor.index_put_", scatter_nd),
    indexing_slices.Slice: built("torch.Tensor.__getitem__ + torch.Tensor.contiguous", cut),
    indexing_slices.SliceAxis: built("torch.narrow_copy", rows_of),
    indexing_slices.SliceLike: built("torch.Tensor.__getitem__ + torch.Tensor.contiguous", corner),
    indexing_slices.Select: built("torch.select_copy", select),
    indexing_slices.SliceScatter: built("torch.slice_scatter", slice_scatter),
    indexing_slices.SelectScatter: native("torch.select_scatter", dim=1),
    indexing_slices.DiagonalScatter: native("torch.diagonal_scatter"),
    indexing_rows.IndexCopy: built("torch.index_copy", rowwise),
    indexing_rows.IndexAdd: built("torch.index_add", rowwise),
    indexing_rows.IndexFill: built("torch.index_fill", rowwise),
    indexing_elements.Gather: built("torch.gather", rowwise),
    indexing_elements.Scatter: built("torch.scatter", rowwise),
    indexing_elements.ScatterAdd: built("torch.scatter_add", rowwise),
    indexing_elements.ScatterReduce: built("torch.scatter_reduce", raised),
    indexing_elements.IndexPut: built("torch.index_put", index_put),
    indexing_elements.Pick: built("torch.gather + torch.squeeze", pick),
    indexing_elements.FillElement: built("torch.scatter", fill_element),
    indexing_masks.BooleanMask: built("torch.Tensor.__getitem__", masked),
    indexing_masks.MaskedSelect: built("torch.masked_select", masked),
    indexing_masks.MaskedScatter: built("torch.masked_scatter", masked),
    indexing_positions.NonZero: native("torch.nonzero"),
    indexing_positions.UnravelIndex: built("torch.unravel_index + torch.stack", unravel),
    indexing_positions.RavelMultiIndex: built("torch.mul + torch.sum", ravel),
    indexing_positions.IndexArray: built(
        "torch.arange + torch.meshgrid + torch.stack", index_array
    ),
    indexing_positions.SearchSorted: native("torch.searchsorted"),
}
