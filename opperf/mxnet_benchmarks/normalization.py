"""MXNet's normalizations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import batch_norm_relu, normalization

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def batch_norm(
    call: Callable[..., Any], *tensors: Any, eps: float, momentum: float, training: bool
) -> Step:
    """Bind; the scope of recording decides whether it trains."""
    del training
    return partial(call, *tensors, eps=eps, momentum=momentum, fix_gamma=False)


TABLE = {
    normalization.BatchNorm: built("mxnet.nd.BatchNorm", batch_norm),
    batch_norm_relu.BatchNormReLU: built("mxnet.nd.contrib.BatchNormWithReLU", batch_norm),
}
