"""PyTorch's indexing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import indexing

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


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


TABLE = {
    indexing.Take: built("torch.index_select", take),
    indexing.GatherND: built("torch.Tensor.__getitem__", gather_nd),
    indexing.ScatterND: built("torch.zeros + torch.Tensor.index_put_", scatter_nd),
}
