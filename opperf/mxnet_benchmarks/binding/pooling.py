"""MXNet's pooling."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pool(
    call: Callable[..., Any], data: Any, *, kernel: Any, stride: int, padding: int, kind: str
) -> Step:
    """Pooling over windows, rounding down; averages count the padding."""
    spatial = {"stride": (stride,) * len(kernel), "pad": (padding,) * len(kernel)}
    rules = {"pooling_convention": "valid", "count_include_pad": True}
    power = {"p_value": 2} if kind == "lp" else {}
    return partial(call, data, kernel=kernel, pool_type=kind, **spatial, **rules, **power)


def pool_whole(call: Callable[..., Any], data: Any, *, kind: str) -> Step:
    """Global pooling; MXNet requires a kernel size and ignores it."""
    kernel = (1,) * (len(data.shape) - 2)
    return partial(call, data, kernel=kernel, pool_type=kind, global_pool=True)


def adaptive_pooling(
    call: Callable[..., Any], view: Callable[..., Any], data: Any, *, output_size: Any
) -> Step:
    """Adaptive pooling of sequences as images of one row."""
    n, channels, length = data.shape
    size = (1, *output_size)

    def composition() -> Any:
        rows = call(view(data, (n, channels, 1, length)), output_size=size)
        return view(rows, (n, channels, *output_size))

    return composition


def pooling_of(kind: str) -> Implementation:
    """Return the pooling of this type."""
    return built("mxnet.nd.Pooling", partial(pool, kind=kind))


def whole_pooling_of(kind: str) -> Implementation:
    """Return the global pooling of this type."""
    return built("mxnet.nd.Pooling", partial(pool_whole, kind=kind))
