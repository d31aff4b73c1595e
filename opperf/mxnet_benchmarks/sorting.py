"""MXNet's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.sorting import counts as sorting_counts
from opperf.operators.sorting import sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def search(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind the array to the NumPy interface, whose positions are int64, not of the data's dtype."""
    return partial(call, data.as_np_ndarray(), axis=axis)


def histogram(call: Callable[..., Any], data: Any, *, bins: int, low: float, high: float) -> Step:
    """Bind the range."""
    return partial(call, data, bins, (low, high))


TABLE = {
    sorting.TopK: native("mxnet.nd.topk", axis=-1, ret_typ="both", dtype="int64"),
    sorting.Sort: native("mxnet.nd.sort"),
    sorting.ArgSort: native("mxnet.nd.argsort", dtype="int64"),
    sorting.ArgMax: built("mxnet.np.argmax", search),
    sorting.ArgMin: built("mxnet.np.argmin", search),
    sorting_counts.Unique: numpy_interface("mxnet.np.unique"),
    sorting_counts.Histogram: built("mxnet.nd.histogram", histogram),
    sorting_counts.BinCount: numpy_interface("mxnet.np.bincount"),
    sorting_counts.Percentile: numpy_interface("mxnet.np.percentile"),
}
