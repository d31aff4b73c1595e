"""PyTorch's callables for the operators of pooling, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.pooling import adaptive, layouts, norm, pooling, unpooling, whole
from opperf.pytorch_benchmarks.binding.pooling import (
    adaptive_pooling,
    norms,
    pooling_of,
    sums,
    unpooling_of,
    whole_pooling_of,
)

TABLE = {
    adaptive.AdaptiveAvgPool1D: adaptive_pooling("adaptive_avg_pool1d"),
    adaptive.AdaptiveAvgPool3D: adaptive_pooling("adaptive_avg_pool3d"),
    adaptive.AdaptiveMaxPool1D: adaptive_pooling("adaptive_max_pool1d"),
    adaptive.AdaptiveMaxPool2D: adaptive_pooling("adaptive_max_pool2d"),
    adaptive.AdaptiveMaxPool3D: adaptive_pooling("adaptive_max_pool3d"),
    layouts.MaxPool2DChannelsLast: pooling_of("max_pool2d"),
    layouts.AvgPool2DChannelsLast: pooling_of("avg_pool2d"),
    norm.SumPool1D: built("torch.nn.functional.avg_pool1d + torch.mul", sums),
    norm.SumPool2D: built("torch.nn.functional.avg_pool2d + torch.mul", sums),
    # LpPool1D: takes no padding.
    norm.LpPool1D: built("torch.nn.functional.lp_pool1d", norms),
    norm.LpPool2D: built("torch.nn.functional.lp_pool2d", norms),
    pooling.MaxPool1D: pooling_of("max_pool1d"),
    pooling.MaxPool2D: pooling_of("max_pool2d"),
    pooling.MaxPool3D: pooling_of("max_pool3d"),
    pooling.AvgPool1D: pooling_of("avg_pool1d"),
    pooling.AvgPool2D: pooling_of("avg_pool2d"),
    pooling.AvgPool3D: pooling_of("avg_pool3d"),
    unpooling.MaxUnpool1D: unpooling_of("max_unpool1d"),
    unpooling.MaxUnpool2D: unpooling_of("max_unpool2d"),
    unpooling.MaxUnpool3D: unpooling_of("max_unpool3d"),
    whole.GlobalMaxPool1D: whole_pooling_of("adaptive_max_pool1d"),
    whole.GlobalMaxPool2D: whole_pooling_of("adaptive_max_pool2d"),
    whole.GlobalAvgPool1D: whole_pooling_of("adaptive_avg_pool1d"),
    whole.GlobalAvgPool2D: whole_pooling_of("adaptive_avg_pool2d"),
    whole.GlobalMaxPool3D: whole_pooling_of("adaptive_max_pool3d"),
    whole.GlobalAvgPool3D: whole_pooling_of("adaptive_avg_pool3d"),
    whole.AdaptiveAvgPool2D: native("torch.nn.functional.adaptive_avg_pool2d"),
}
