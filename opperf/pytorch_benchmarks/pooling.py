"""PyTorch's poolings."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native
from opperf.operators.pooling import adaptive as pooling_adaptive
from opperf.operators.pooling import layouts as pooling_layouts
from opperf.operators.pooling import norm as pooling_norm
from opperf.operators.pooling import pooling
from opperf.operators.pooling import undone as pooling_undone
from opperf.operators.pooling import whole as pooling_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pooling_of(name: str) -> Implementation:
    """Return the pooling of windows of this name."""
    return native(f"torch.nn.functional.{name}", rename={"kernel": "kernel_size"})


def whole_pooling_of(name: str) -> Implementation:
    """Return the adaptive pooling of this name, to one value a channel."""
    return native(f"torch.nn.functional.{name}", output_size=1)


def adaptive(name: str) -> Implementation:
    """Return the pooling to a grid of this name."""
    return native(f"torch.nn.functional.{name}")


def unpooling(name: str) -> Implementation:
    """Return the unpooling of this name."""
    return native(f"torch.nn.functional.{name}", kernel_size=2)


def sums(
    average: Callable[..., Any], scale: Callable[..., Any], data: Any, *, kernel: Any, **sizes: int
) -> Step:
    """Compose: torch's averages, times what they were divided by."""

    def composition() -> Any:
        return scale(average(data, kernel, **sizes), prod(kernel))

    return composition


def norms(call: Callable[..., Any], data: Any, *, kernel: Any, stride: int, padding: int) -> Step:
    """Bind; in one dimension torch takes no tuple."""
    del padding  # there is none
    return partial(call, data, 2, kernel if len(kernel) > 1 else kernel[0], stride)


TABLE = {
    pooling.MaxPool1D: pooling_of("max_pool1d"),
    pooling.MaxPool2D: pooling_of("max_pool2d"),
    pooling.MaxPool3D: pooling_of("max_pool3d"),
    pooling.AvgPool1D: pooling_of("avg_pool1d"),
    pooling.AvgPool2D: pooling_of("avg_pool2d"),
    pooling.AvgPool3D: pooling_of("avg_pool3d"),
    pooling_whole.GlobalMaxPool1D: whole_pooling_of("adaptive_max_pool1d"),
    pooling_whole.GlobalMaxPool2D: whole_pooling_of("adaptive_max_pool2d"),
    pooling_whole.GlobalAvgPool1D: whole_pooling_of("adaptive_avg_pool1d"),
    pooling_whole.GlobalAvgPool2D: whole_pooling_of("adaptive_avg_pool2d"),
    pooling_whole.GlobalMaxPool3D: whole_pooling_of("adaptive_max_pool3d"),
    pooling_whole.GlobalAvgPool3D: whole_pooling_of("adaptive_avg_pool3d"),
    pooling_whole.AdaptiveAvgPool2D: native("torch.nn.functional.adaptive_avg_pool2d"),
    pooling_norm.SumPool1D: built("torch.nn.functional.avg_pool1d + torch.mul", sums),
    pooling_norm.SumPool2D: built("torch.nn.functional.avg_pool2d + torch.mul", sums),
    pooling_norm.LpPool1D: built("torch.nn.functional.lp_pool1d", norms),
    pooling_norm.LpPool2D: built("torch.nn.functional.lp_pool2d", norms),
    pooling_adaptive.AdaptiveAvgPool1D: adaptive("adaptive_avg_pool1d"),
    pooling_adaptive.AdaptiveAvgPool3D: adaptive("adaptive_avg_pool3d"),
    pooling_adaptive.AdaptiveMaxPool1D: adaptive("adaptive_max_pool1d"),
    pooling_adaptive.AdaptiveMaxPool2D: adaptive("adaptive_max_pool2d"),
    pooling_adaptive.AdaptiveMaxPool3D: adaptive("adaptive_max_pool3d"),
    pooling_undone.MaxUnpool1D: unpooling("max_unpool1d"),
    pooling_undone.MaxUnpool2D: unpooling("max_unpool2d"),
    pooling_undone.MaxUnpool3D: unpooling("max_unpool3d"),
    pooling_layouts.MaxPool2DChannelsLast: pooling_of("max_pool2d"),
    pooling_layouts.AvgPool2DChannelsLast: pooling_of("avg_pool2d"),
}
