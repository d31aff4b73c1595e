"""MXNet's dense layers that are fused with what follows them, and what they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import Fusable, built
from opperf.mxnet_benchmarks.fused import RELU, fusable
from opperf.mxnet_benchmarks.gemm import dense
from opperf.operators import fused_dense

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.device import Step
    from opperf.mxnet_benchmarks.fused import Calls, Composition

GELU = {"act_type": "gelu"}


def dense_then(calls: Calls, tensors: Sequence[Any], **last: Any) -> Composition:
    """Compose the two calls, the second of which has options of its own and may take a tensor."""
    multiply, follow = calls
    units = len(tensors[1])

    def composition(data: Any, weight: Any, bias: Any, *others: Any) -> Any:
        return follow(multiply(data, weight, bias, num_hidden=units), *others, **last)

    return composition


def dense_then_bias(
    multiply: Callable[..., Any], add: Callable[..., Any], data: Any, weight: Any, bias: Any
) -> Step:
    """Compose the two calls."""
    units = len(weight)

    def composition() -> Any:
        return add(multiply(data, weight, num_hidden=units, no_bias=True), bias)

    return composition


TABLE = {
    **{
        kind: fusable(kind, compose, "FullyConnected", last)
        for kind, compose, last in (
            (fused_dense.DenseRelu, partial(dense_then, **RELU), "Activation"),
            (fused_dense.DenseGelu, partial(dense_then, **GELU), "LeakyReLU"),
            (fused_dense.DenseSoftmax, dense_then, "softmax"),
            (fused_dense.DenseAdd, dense_then, "elemwise_add"),
        )
    },
    fused_dense.DenseBias: Fusable(
        fused=built("mxnet.nd.FullyConnected", dense),
        unfused=built("mxnet.nd.FullyConnected + mxnet.nd.broadcast_add", dense_then_bias),
    ),
}
