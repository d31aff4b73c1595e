"""PyTorch's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.sorting import counts as sorting_counts
from opperf.operators.sorting import sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

DIM = {"axis": "dim"}


def sort(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind, and let go of the positions: no public call returns the values alone."""

    def values() -> Any:
        return call(data, axis)[0]

    return values


def histogram(call: Callable[..., Any], data: Any, *, bins: int, low: float, high: float) -> Step:
    """Bind the range."""
    return partial(call, data, bins, range=(low, high))


def percentile(call: Callable[..., Any], data: Any, *, q: float, axis: int) -> Step:
    """Bind; torch takes a share of 1."""
    return partial(call, data, q / 100, axis)


TABLE = {
    sorting.TopK: native("torch.topk", dim=-1, largest=True, sorted=True),
    sorting.Sort: built("torch.sort", sort),
    sorting.ArgSort: native("torch.argsort", rename=DIM),
    sorting.ArgMax: native("torch.argmax", rename=DIM),
    sorting.ArgMin: native("torch.argmin", rename=DIM),
    sorting_counts.Unique: native("torch.unique"),
    sorting_counts.UniqueConsecutive: native("torch.unique_consecutive"),
    sorting_counts.Histogram: built("torch.histogram", histogram),
    sorting_counts.BinCount: native("torch.bincount"),
    sorting_counts.Percentile: built("torch.quantile", percentile),
    sorting_counts.KthValue: native("torch.kthvalue", rename=DIM),
}
