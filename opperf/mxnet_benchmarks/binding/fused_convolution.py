"""MXNet's convolutions fused with what follows them, and the parts that they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall
from opperf.mxnet_benchmarks.binding.convolution import window
from opperf.mxnet_benchmarks.binding.fusing import RELU

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


ONE_PIXEL = (1, 0)
"""Stride and padding."""


def conv_then(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int, **last: Any
) -> Composition:
    """Convolution -> activation with options of its own."""
    convolve, activate = calls
    options = window(tensors[1], stride, padding)

    def composition(*inputs: Any) -> Any:
        return activate(convolve(*inputs, **options), **last)

    return composition


def conv_gated(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int, **gate: Any
) -> Composition:
    """Convolution -> gate with options of its own -> product of both."""
    convolve, activate, multiply = calls
    options = window(tensors[1], stride, padding)

    def composition(*inputs: Any) -> Any:
        convolved = convolve(*inputs, **options)
        return multiply(convolved, activate(convolved, **gate))

    return composition


def conv_add_relu(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int
) -> Composition:
    """Convolution -> add -> relu."""
    convolve, add, activate = calls
    options = window(tensors[1], stride, padding)

    def composition(data: Any, weight: Any, bias: Any, residual: Any) -> Any:
        return activate(add(convolve(data, weight, bias, **options), residual), **RELU)

    return composition


def pointwise_depthwise(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int
) -> Composition:
    """Pointwise convolution -> depthwise convolution."""
    (convolve,) = calls
    first = window(tensors[1], *ONE_PIXEL)
    second = {**window(tensors[3], stride, padding), "num_group": len(tensors[3])}

    def composition(data: Any, weight: Any, bias: Any, *depthwise: Any) -> Any:
        return convolve(convolve(data, weight, bias, **first), *depthwise, **second)

    return composition


def conv_bias(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> BoundCall:
    """Convolution with a bias, reshaped to a convolution's."""
    flat = bias.detach().reshape(-1)
    flat.attach_grad()

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_weight, by_bias = gradients
        return by_data, by_weight, by_bias.reshape(bias.shape)

    step = partial(call, data, weight, flat, **window(weight, stride, padding))
    return BoundCall(step, (data, weight, flat), unpack)


def conv_then_bias(  # noqa: PLR0913 - two calls, then the operator's inputs
    convolve: Callable[..., Any], add: Callable[..., Any],
    data: Any, weight: Any, bias: Any, *, stride: int, padding: int,
) -> Step:  # fmt: skip
    """Convolution -> add."""
    options = {**window(weight, stride, padding), "no_bias": True}

    def composition() -> Any:
        return add(convolve(data, weight, **options), bias)

    return composition
