"""MXNet's normalizations that scale only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.normalization import response, scaling

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def weight_norm(call: Callable[..., Any], scale: Callable[..., Any], data: Any, gamma: Any) -> Step:
    """L2Normalization of each row -> product."""
    return lambda: scale(call(data, mode="instance", eps=0.0), gamma)


TABLE = {
    scaling.L2Normalization: native("mxnet.nd.L2Normalization", mode="instance"),
    scaling.WeightNorm: built("mxnet.nd.L2Normalization + mxnet.nd.broadcast_mul", weight_norm),
    response.LocalResponseNorm: native("mxnet.nd.LRN"),
}
