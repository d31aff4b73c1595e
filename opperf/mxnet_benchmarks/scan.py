"""MXNet's scans."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.scan import differences, scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def cumulative_sum(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind; MXNet counts the axis from the first one only."""
    return partial(call, data, axis=axis % data.ndim)


TABLE = {
    scan.CumSum: built("mxnet.nd.cumsum", cumulative_sum),
    differences.Diff: numpy_interface("mxnet.np.diff"),
    differences.EDiff1D: numpy_interface("mxnet.np.ediff1d"),
}
