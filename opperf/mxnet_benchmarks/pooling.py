"""MXNet's poolings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native
from opperf.operators.pooling import adaptive as pooling_adaptive
from opperf.operators.pooling import norm as pooling_norm
from opperf.operators.pooling import pooling
from opperf.operators.pooling import whole as pooling_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pool(
    call: Callable[..., Any], data: Any, *, kernel: Any, stride: int, padding: int, kind: str
) -> Step:
    """Bind; windows that the end cuts off are left out, averages count the padding."""
    spatial = {"stride": (stride,) * len(kernel), "pad": (padding,) * len(kernel)}
    rules = {"pooling_convention": "valid", "count_include_pad": True}
    power = {"p_value": 2} if kind == "lp" else {}
    return partial(call, data, kernel=kernel, pool_type=kind, **spatial, **rules, **power)


def pool_whole(call: Callable[..., Any], data: Any, *, kind: str) -> Step:
    """Bind; the kernel is asked for and not used."""
    kernel = (1,) * (len(data.shape) - 2)
    return partial(call, data, kernel=kernel, pool_type=kind, global_pool=True)


def adaptive(
    call: Callable[..., Any], view: Callable[..., Any], data: Any, *, output_size: Any
) -> Step:
    """Adaptive pooling of a view as images of one row."""
    n, channels, length = data.shape
    size = (1, *output_size)

    def composition() -> Any:
        rows = call(view(data, (n, channels, 1, length)), output_size=size)
        return view(rows, (n, channels, *output_size))

    return composition


def pooling_of(kind: str) -> Implementation:
    """Return the pooling of windows by this rule."""
    return built("mxnet.nd.Pooling", partial(pool, kind=kind))


def whole_pooling_of(kind: str) -> Implementation:
    """Return the pooling of everything by this rule."""
    return built("mxnet.nd.Pooling", partial(pool_whole, kind=kind))


TABLE = {
    pooling.MaxPool1D: pooling_of("max"),
    pooling.MaxPool2D: pooling_of("max"),
    pooling.MaxPool3D: pooling_of("max"),
    pooling.AvgPool1D: pooling_of("avg"),
    pooling.AvgPool2D: pooling_of("avg"),
    pooling.AvgPool3D: pooling_of("avg"),
    pooling_whole.GlobalMaxPool1D: whole_pooling_of("max"),
    pooling_whole.GlobalMaxPool2D: whole_pooling_of("max"),
    pooling_whole.GlobalAvgPool1D: whole_pooling_of("avg"),
    pooling_whole.GlobalAvgPool2D: whole_pooling_of("avg"),
    pooling_whole.GlobalMaxPool3D: whole_pooling_of("max"),
    pooling_whole.GlobalAvgPool3D: whole_pooling_of("avg"),
    pooling_whole.AdaptiveAvgPool2D: native("mxnet.nd.contrib.AdaptiveAvgPooling2D"),
    pooling_adaptive.AdaptiveAvgPool1D: built(
        "mxnet.nd.contrib.AdaptiveAvgPooling2D + mxnet.nd.NDArray.reshape", adaptive
    ),
    pooling_norm.SumPool1D: pooling_of("sum"),
    pooling_norm.SumPool2D: pooling_of("sum"),
    pooling_norm.LpPool1D: pooling_of("lp"),
    pooling_norm.LpPool2D: pooling_of("lp"),
}
