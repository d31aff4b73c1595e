"""MXNet's fused operators, by its oneDNN subgraph backend, and what they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.framework import Fusable, built
from opperf.mxnet_benchmarks.convolution import window
from opperf.operators import fused

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step

STATIC = (("static_alloc", True), ("static_shape", True))


def fused_conv_relu(  # noqa: PLR0913 - the graph's parts, then the operator's inputs
    cached_op: Callable[..., Any], symbol: Any, data: Any, weight: Any, bias: Any,
    *, stride: int, padding: int,
) -> Step:  # fmt: skip
    """Bind the graph as a hybridized block runs it, once oneDNN has made one node of it."""
    inputs = [symbol.var(name) for name in ("data", "weight", "bias")]
    convolution = symbol.Convolution(*inputs, **window(weight, stride, padding))
    graph = symbol.Activation(convolution, act_type="relu").optimize_for("MKLDNN")
    nodes = set(graph.get_internals().list_outputs()) - {"data", "weight", "bias"}
    if len(nodes) != 1:
        raise UnsupportedError(f"mxnet did not fuse: the graph holds {', '.join(sorted(nodes))}")
    return partial(cached_op(graph, STATIC), data, weight, bias)


def conv_relu(  # noqa: PLR0913 - two calls, then the operator's inputs
    convolve: Callable[..., Any], relu: Callable[..., Any], data: Any, weight: Any, bias: Any,
    *, stride: int, padding: int,
) -> Step:  # fmt: skip
    """Compose the two calls."""
    options = window(weight, stride, padding)

    def composition() -> Any:
        return relu(convolve(data, weight, bias, **options))

    return composition


TABLE = {
    fused.ConvReLU: Fusable(
        fused=built("mxnet.nd.CachedOp + mxnet.symbol", fused_conv_relu, compiles=True),
        unfused=built("mxnet.nd.Convolution + mxnet.nd.relu", conv_relu),
    ),
}
