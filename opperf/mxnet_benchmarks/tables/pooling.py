"""MXNet's callables for the operators of pooling, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import SizeThreshold, rounded_sums
from opperf.mxnet_benchmarks.binding.pooling import adaptive_pooling, pooling_of, whole_pooling_of
from opperf.mxnet_benchmarks.limits import bin_size
from opperf.operators.pooling import adaptive, norm, pooling, whole

TABLE = {
    adaptive.AdaptiveAvgPool1D: built(
        "mxnet.nd.contrib.AdaptiveAvgPooling2D + mxnet.nd.NDArray.reshape", adaptive_pooling
    ).limited(
        rounded_sums("bfloat16", SizeThreshold(32, "elements a bin", bin_size)),
    ),
    norm.SumPool1D: pooling_of("sum"),
    norm.SumPool2D: pooling_of("sum"),
    norm.LpPool1D: pooling_of("lp"),
    norm.LpPool2D: pooling_of("lp"),
    pooling.MaxPool1D: pooling_of("max"),
    pooling.MaxPool2D: pooling_of("max"),
    pooling.MaxPool3D: pooling_of("max"),
    pooling.AvgPool1D: pooling_of("avg"),
    pooling.AvgPool2D: pooling_of("avg"),
    pooling.AvgPool3D: pooling_of("avg"),
    whole.GlobalMaxPool1D: whole_pooling_of("max"),
    whole.GlobalMaxPool2D: whole_pooling_of("max"),
    whole.GlobalAvgPool1D: whole_pooling_of("avg"),
    whole.GlobalAvgPool2D: whole_pooling_of("avg"),
    whole.GlobalMaxPool3D: whole_pooling_of("max"),
    whole.GlobalAvgPool3D: whole_pooling_of("avg"),
    whole.AdaptiveAvgPool2D: native("mxnet.nd.contrib.AdaptiveAvgPooling2D").limited(
        rounded_sums("bfloat16", SizeThreshold(32, "elements a bin", bin_size)),
    ),
}
