"""MXNet's reductions."""

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators import missing, moments, reduction, reduction_layouts, selection

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
    selection.All: numpy_interface("mxnet.np.all"),
    selection.Any: numpy_interface("mxnet.np.any"),
    selection.Quantile: numpy_interface("mxnet.np.quantile"),
    selection.MultiSumSq: native("mxnet.nd.multi_sum_sq", num_arrays=3),
    reduction_layouts.SumColumns: native("mxnet.nd.sum"),
}
