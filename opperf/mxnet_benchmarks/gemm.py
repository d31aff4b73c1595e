"""MXNet's matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import gemm

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def dense(call: Callable[..., Any], data: Any, weight: Any, bias: Any) -> Step:
    """Bind."""
    return partial(call, data, weight, bias, num_hidden=weight.shape[0], flatten=False)


TABLE = {
    gemm.Dot: native("mxnet.nd.dot"),
    gemm.BatchDot: native("mxnet.nd.batch_dot"),
    gemm.Dense: built("mxnet.nd.FullyConnected", dense),
}
