"""MXNet's convolutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.framework import built
from opperf.operators import convolution

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def window(weight: Any, stride: int, padding: int) -> dict[str, Any]:
    """Return the parameters of an MXNet convolution."""
    filters, _, *kernel = weight.shape
    pairs = {"stride": (stride, stride), "pad": (padding, padding)}
    return {"num_filter": filters, "kernel": tuple(kernel), **pairs}


def conv2d(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Bind."""
    return partial(call, data, weight, bias, **window(weight, stride, padding))


TABLE = {
    convolution.Conv2D: built("mxnet.nd.Convolution", conv2d),
}
