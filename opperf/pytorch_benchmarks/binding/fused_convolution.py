"""PyTorch's convolutions compiled with what follows them, and the parts that they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.pytorch_benchmarks.binding.fusing import Calls, Composition


def conv_then(calls: Calls, *, stride: int, padding: int) -> Composition:
    """Convolution -> activation."""
    conv2d, activate = calls

    def composition(data: Any, weight: Any, bias: Any) -> Any:
        return activate(conv2d(data, weight, bias, stride, padding))

    return composition


def conv_add_relu(calls: Calls, *, stride: int, padding: int) -> Composition:
    """Convolution -> add -> relu."""
    conv2d, add, relu = calls

    def composition(data: Any, weight: Any, bias: Any, residual: Any) -> Any:
        return relu(add(conv2d(data, weight, bias, stride, padding), residual))

    return composition


def pointwise_depthwise(calls: Calls, *, stride: int, padding: int) -> Composition:
    """Pointwise convolution -> depthwise convolution."""
    (conv2d,) = calls

    def composition(data: Any, weight: Any, bias: Any, *depthwise: Any) -> Any:
        wide = conv2d(data, weight, bias)
        return conv2d(wide, *depthwise, stride, padding, groups=len(weight))

    return composition


def conv_bias(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> BoundCall:
    """Convolution with a bias, reshaped to a convolution's."""
    flat = bias.detach().flatten().requires_grad_(bias.requires_grad)

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_weight, by_bias = gradients
        return by_data, by_weight, by_bias.reshape(bias.shape)

    return BoundCall(
        partial(call, data, weight, flat, stride, padding), (data, weight, flat), unpack
    )


def conv_then_bias(  # noqa: PLR0913 - two calls, then the operator's inputs
    conv2d: Callable[..., Any], add: Callable[..., Any],
    data: Any, weight: Any, bias: Any, *, stride: int, padding: int,
) -> Step:  # fmt: skip
    """Convolution -> add."""
    return lambda: add(conv2d(data, weight, None, stride, padding), bias)
