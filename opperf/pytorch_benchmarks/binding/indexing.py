"""PyTorch's indexing and selection."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def take(call: Callable[..., Any], data: Any, indices: Any, *, axis: int) -> Step:
    """index_select; PyTorch takes the axis before the indices."""
    return partial(call, data, axis, indices)


def gather_nd(call: Callable[..., Any], data: Any, indices: Any) -> Step:
    """data[indices], with one index tensor per dimension."""
    return partial(call, data, indices.unbind())


def scatter_nd(
    zeros: Callable[..., Any], put: Callable[..., Any], data: Any, indices: Any, *, shape: Any
) -> Step:
    """Zeros -> index_put_."""
    rows, options = indices.unbind(), {"dtype": data.dtype, "device": data.device}

    def composition() -> Any:
        return put(zeros(shape, **options), rows, data)

    return composition


def cut(part: Callable[..., Any], store: Callable[..., Any], data: Any, *, border: int) -> Step:
    """Slice -> copy: the slice alone is a view."""
    _, _, height, width = data.shape
    where = (..., slice(border, height - border), slice(border, width - border))

    def composition() -> Any:
        return store(part(data, where))

    return composition


def rows_of(call: Callable[..., Any], data: Any, *, begin: int, end: int) -> Step:
    """narrow_copy; PyTorch takes the length, not the end."""
    return partial(call, data, 0, begin, end - begin)


def corner(part: Callable[..., Any], store: Callable[..., Any], data: Any, shape_like: Any) -> Step:
    """Slice to the other's shape -> copy."""
    where = tuple(slice(n) for n in shape_like.shape)

    def composition() -> Any:
        return store(part(data, where))

    return composition


def select(call: Callable[..., Any], data: Any, *, index: int) -> Step:
    """select_copy of the second axis."""
    return partial(call, data, 1, index)


def slice_scatter(call: Callable[..., Any], data: Any, src: Any, *, begin: int) -> Step:
    """slice_scatter of the first axis."""
    return partial(call, data, src, 0, begin, begin + len(src))


def rowwise(call: Callable[..., Any], data: Any, *tensors: Any, **attributes: Any) -> Step:
    """An index call by rows; PyTorch takes the axis before the index."""
    return partial(call, data, 0, *tensors, **attributes)


def scatter_maximum(call: Callable[..., Any], data: Any, index: Any, src: Any) -> Step:
    """scatter_reduce by maximum; PyTorch takes the axis before the index."""
    return partial(call, data, 0, index, src, "amax")


def fill_element(call: Callable[..., Any], lhs: Any, mhs: Any, rhs: Any) -> Step:
    """Return scatter of a column of values, with int64 columns made beforehand."""
    return partial(call, lhs, 1, rhs.long().unsqueeze(1), mhs.unsqueeze(1))


def index_put(call: Callable[..., Any], data: Any, indices: Any, src: Any) -> Step:
    """index_put, with one index tensor per dimension."""
    return partial(call, data, indices.unbind(), src, accumulate=True)


def pick(call: Callable[..., Any], view: Callable[..., Any], data: Any, index: Any) -> Step:
    """Gather of a column -> squeeze."""
    column = index.unsqueeze(1)

    def composition() -> Any:
        return view(call(data, 1, column), 1)

    return composition


def bool_mask(call: Callable[..., Any], data: Any, mask: Any, *tensors: Any) -> Step:
    """A call with a bool mask."""
    return partial(call, data, mask.bool(), *tensors)


def ravel(
    multiply: Callable[..., Any], add_up: Callable[..., Any], indices: Any, *, shape: Any
) -> Step:
    """Multiply by the strides, made beforehand -> sum."""
    strides = indices.new_tensor([prod(shape[at + 1 :]) for at in range(len(shape))])[:, None]
    return lambda: add_up(multiply(indices, strides), 0)


def index_array(
    count: Callable[..., Any], grid: Callable[..., Any], stack: Callable[..., Any], data: Any
) -> Step:
    """Arange along each axis -> expand -> stack."""

    def composition() -> Any:
        axes = [count(length, device=data.device) for length in data.shape]
        return stack(grid(*axes, indexing="ij"), -1)

    return composition


def unravel(
    call: Callable[..., Any], stack: Callable[..., Any], indices: Any, *, shape: Any
) -> Step:
    """unravel_index -> stack: PyTorch returns one tensor per dimension."""

    def composition() -> Any:
        return stack(call(indices, shape))

    return composition


def choose(call: Callable[..., Any], condition: Any, x: Any, y: Any) -> Step:
    """where, with a bool condition, the only dtype that PyTorch takes."""
    return partial(call, condition.bool(), x, y)
