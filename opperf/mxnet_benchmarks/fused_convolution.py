"""MXNet's convolutions that are fused with what follows them, and what they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Bound, Fusable, built
from opperf.mxnet_benchmarks.convolution import window
from opperf.mxnet_benchmarks.fused import RELU, fusable
from opperf.operators.fused import convolution as fused_convolution
from opperf.operators.fused import convolution_blocks as fused_convolution_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.declaring.declaration import Declaration
    from opperf.mxnet_benchmarks.fused import Calls, Composition

ONE_PIXEL = (1, 0)
"""Stride and padding."""


def conv_then(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int, **last: Any
) -> Composition:
    """Compose the two calls, the second of which has options of its own."""
    convolve, activate = calls
    options = window(tensors[1], stride, padding)

    def composition(*inputs: Any) -> Any:
        return activate(convolve(*inputs, **options), **last)

    return composition


def conv_gated(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int, **gate: Any
) -> Composition:
    """Convolution -> gate, which has options of its own -> product of both."""
    convolve, activate, multiply = calls
    options = window(tensors[1], stride, padding)

    def composition(*inputs: Any) -> Any:
        convolved = convolve(*inputs, **options)
        return multiply(convolved, activate(convolved, **gate))

    return composition


def conv_add_relu(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int
) -> Composition:
    """Compose the three calls."""
    convolve, add, activate = calls
    options = window(tensors[1], stride, padding)

    def composition(data: Any, weight: Any, bias: Any, residual: Any) -> Any:
        return activate(add(convolve(data, weight, bias, **options), residual), **RELU)

    return composition


def pointwise_depthwise(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int
) -> Composition:
    """Compose the two calls."""
    (convolve,) = calls
    first = window(tensors[1], *ONE_PIXEL)
    second = {**window(tensors[3], stride, padding), "num_group": len(tensors[3])}

    def composition(data: Any, weight: Any, bias: Any, *depthwise: Any) -> Any:
        return convolve(convolve(data, weight, bias, **first), *depthwise, **second)

    return composition


def conv_bias(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Bound:
    """Bind, with the bias in the shape that a convolution takes."""
    flat = bias.detach().reshape(-1)
    flat.attach_grad()

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_weight, by_bias = gradients
        return by_data, by_weight, by_bias.reshape(bias.shape)

    step = partial(call, data, weight, flat, **window(weight, stride, padding))
    return Bound(step, (data, weight, flat), unpack)


def conv_then_bias(  # noqa: PLR0913 - two calls, then the operator's inputs
    convolve: Callable[..., Any], add: Callable[..., Any],
    data: Any, weight: Any, bias: Any, *, stride: int, padding: int,
) -> Step:  # fmt: skip
    """Compose the two calls."""
    options = {**window(weight, stride, padding), "no_bias": True}

    def composition() -> Any:
        return add(convolve(data, weight, **options), bias)

    return composition


ACTIVATIONS: Mapping[type[Declaration], tuple[str, dict[str, Any]]] = {
    fused_convolution.ConvReLU: ("Activation", RELU),
    fused_convolution.ConvSigmoid: ("Activation", {"act_type": "sigmoid"}),
    fused_convolution.ConvRelu6: ("clip", {"a_min": 0, "a_max": 6}),
}
"""The call and its options."""
GATES: Mapping[type[Declaration], tuple[str, dict[str, Any]]] = {
    fused_convolution.ConvSilu: ("sigmoid", {}),
    fused_convolution.ConvHardSwish: ("hard_sigmoid", {"alpha": 1 / 6, "beta": 0.5}),
}
"""Likewise, of what the result is multiplied by."""

TABLE = {
    **{
        kind: fusable(kind, conv_then, "Convolution", last, **options)
        for kind, (last, options) in ACTIVATIONS.items()
    },
    **{
        kind: fusable(kind, partial(conv_gated, **options), "Convolution", gate, "broadcast_mul")
        for kind, (gate, options) in GATES.items()
    },
    fused_convolution.ConvBias: Fusable(
        fused=built("mxnet.nd.Convolution", conv_bias),
        unfused=built("mxnet.nd.Convolution + mxnet.nd.broadcast_add", conv_then_bias),
    ),
    fused_convolution_blocks.ConvAddRelu: fusable(
        fused_convolution_blocks.ConvAddRelu, conv_add_relu,
        "Convolution", "elemwise_add", "Activation",
    ),
    fused_convolution_blocks.PointwiseDepthwiseConv2D: fusable(
        fused_convolution_blocks.PointwiseDepthwiseConv2D, pointwise_depthwise, "Convolution"
    ),
}  # fmt: skip
