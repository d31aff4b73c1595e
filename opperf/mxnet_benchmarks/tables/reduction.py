"""MXNet's callables for the operators of reduction, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import (
    BACKWARD,
    FORWARD,
    Limitation,
    along_axis,
    in_one_tensor,
    rounded_sums,
)
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.reduction import extremes, std_mean
from opperf.mxnet_benchmarks.limits import no_gradient, unsafe_sums
from opperf.operators.reduction import layouts, missing, moments, reduction, selection

TABLE = {
    layouts.SumColumns: native("mxnet.nd.sum"),
    missing.NanSum: native("mxnet.nd.nansum").limited(
        Limitation(
            dtypes=("bfloat16",),
            words="output 0 is NaN or infinite where the reference is finite",
            note="in bfloat16 it does not pass NaN over",
        ),
    ),
    missing.NanProd: native("mxnet.nd.nanprod"),
    moments.Variance: numpy_interface("mxnet.np.var").limited(
        no_gradient("data"),
    ),
    moments.StandardDeviation: numpy_interface("mxnet.np.std").limited(
        no_gradient("data"),
    ),
    moments.Moments: native("mxnet.nd.moments", rename={"axis": "axes"}),
    moments.StdMean: built("mxnet.nd.moments + mxnet.nd.sqrt", std_mean),
    # Sum: the backward writes the repeated cotangent out.
    reduction.Sum: native("mxnet.nd.sum"),
    reduction.Mean: native("mxnet.nd.mean"),
    reduction.Prod: native("mxnet.nd.prod"),
    reduction.Norm: native("mxnet.nd.norm", ord=2).limited(
        unsafe_sums(along_axis(2048), FORWARD),
        unsafe_sums(along_axis(1024), BACKWARD),
        rounded_sums("bfloat16", along_axis(256), FORWARD),
        rounded_sums("bfloat16", along_axis(128), BACKWARD),
    ),
    # Max: equal elements each get the whole gradient, here and of Min.
    reduction.Max: native("mxnet.nd.max"),
    reduction.Min: native("mxnet.nd.min"),
    selection.All: numpy_interface("mxnet.np.all"),
    selection.Any: numpy_interface("mxnet.np.any"),
    selection.AMinMax: built("mxnet.nd.min + mxnet.nd.max", extremes),
    selection.Quantile: numpy_interface("mxnet.np.quantile").limited(
        no_gradient("data"),
    ),
    # MultiSumSq: the squares are added one after the other, in float32.
    selection.MultiSumSq: native("mxnet.nd.multi_sum_sq", num_arrays=3).limited(
        rounded_sums("float32", in_one_tensor(2**19)),
    ),
}
