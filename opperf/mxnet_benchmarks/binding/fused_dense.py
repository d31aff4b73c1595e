"""MXNet's dense layers that are fused with what follows them, and what they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


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
