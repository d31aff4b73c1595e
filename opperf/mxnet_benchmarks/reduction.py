"""MXNet's reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.reduction import layouts as reduction_layouts
from opperf.operators.reduction import missing, moments, reduction, selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def std_mean(call: Callable[..., Any], root: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Moments -> root of the variance."""

    def composition() -> Any:
        mean, variance = call(data, axes=axis)
        return root(variance), mean

    return composition


def extremes(least: Callable[..., Any], most: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """min, max."""
    return lambda: (least(data, axis=axis), most(data, axis=axis))


TABLE = {
    reduction.Sum: native("mxnet.nd.sum"),
    reduction.Mean: native("mxnet.nd.mean"),
    reduction.Prod: native("mxnet.nd.prod"),
    reduction.Norm: native("mxnet.nd.norm", ord=2),
    reduction.Max: native("mxnet.nd.max"),
    reduction.Min: native("mxnet.nd.min"),
    missing.NanSum: native("mxnet.nd.nansum"),
    missing.NanProd: native("mxnet.nd.nanprod"),
    moments.Variance: numpy_interface("mxnet.np.var"),
    moments.StandardDeviation: numpy_interface("mxnet.np.std"),
    moments.Moments: native("mxnet.nd.moments", rename={"axis": "axes"}),
    moments.StdMean: built("mxnet.nd.moments + mxnet.nd.sqrt", std_mean),
    selection.AMinMax: built("mxnet.nd.min + mxnet.nd.max", extremes),
    selection.All: numpy_interface("mxnet.np.all"),
    selection.Any: numpy_interface("mxnet.np.any"),
    selection.Quantile: numpy_interface("mxnet.np.quantile"),
    selection.MultiSumSq: native("mxnet.nd.multi_sum_sq", num_arrays=3),
    reduction_layouts.SumColumns: native("mxnet.nd.sum"),
}
