"""MXNet's dense layers that are fused with what follows them, and what they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Fusable, built
from opperf.mxnet_benchmarks.fused import RELU, fusable
from opperf.mxnet_benchmarks.gemm import dense
from opperf.operators.fused import dense as fused_dense

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.declaring.declaration import Declaration
    from opperf.mxnet_benchmarks.fused import Calls, Composition


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


def gemm_then(
    calls: Calls, tensors: Sequence[Any], *, alpha: float, beta: float, **last: Any
) -> Composition:
    """Product and sum -> activation, which has options of its own."""
    del tensors
    multiply, activate = calls

    def composition(lhs: Any, rhs: Any, bias: Any) -> Any:
        return activate(multiply(lhs, rhs, bias, alpha=alpha, beta=beta), **last)

    return composition


FOLLOWING: Mapping[type[Declaration], tuple[str, dict[str, Any]]] = {
    fused_dense.DenseRelu: ("Activation", RELU),
    fused_dense.DenseGelu: ("LeakyReLU", {"act_type": "gelu"}),
    fused_dense.DenseSoftmax: ("softmax", {}),
    fused_dense.DenseAdd: ("elemwise_add", {}),
}
"""The call and its options."""

TABLE = {
    **{
        kind: fusable(kind, dense_then, "FullyConnected", last, **options)
        for kind, (last, options) in FOLLOWING.items()
    },
    fused_dense.GemmRelu: fusable(
        fused_dense.GemmRelu, gemm_then, "linalg.gemm", "Activation", **RELU
    ),
    fused_dense.GemmGelu: fusable(
        fused_dense.GemmGelu, gemm_then, "linalg.gemm", "LeakyReLU", act_type="gelu"
    ),
    fused_dense.DenseBias: Fusable(
        fused=built("mxnet.nd.FullyConnected", dense),
        unfused=built("mxnet.nd.FullyConnected + mxnet.nd.broadcast_add", dense_then_bias),
    ),
}
