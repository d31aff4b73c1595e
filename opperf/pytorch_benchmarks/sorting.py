"""PyTorch's sorting and searching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step

DIM = {"axis": "dim"}


def sort(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind, and let go of the positions: no public call returns the values alone."""

    def values() -> Any:
        return call(data, axis)[0]

    return values


TABLE = {
    sorting.TopK: native("torch.topk", dim=-1, largest=True, sorted=True),
    sorting.Sort: built("torch.sort", sort),
    sorting.ArgSort: native("torch.argsort", rename=DIM),
    sorting.ArgMax: native("torch.argmax", rename=DIM),
    sorting.ArgMin: native("torch.argmin", rename=DIM),
}
