"""MXNet's dense layers fused with what follows them, and the parts that they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


def dense_then(calls: Calls, tensors: Sequence[Any], **last: Any) -> Composition:
    """Dense -> activation or sum, with options of its own."""
    multiply, follow = calls
    units = len(tensors[1])

    def composition(data: Any, weight: Any, bias: Any, *others: Any) -> Any:
        return follow(multiply(data, weight, bias, num_hidden=units), *others, **last)

    return composition


def dense_then_bias(
    multiply: Callable[..., Any], add: Callable[..., Any], data: Any, weight: Any, bias: Any
) -> Step:
    """Dense -> add."""
    units = len(weight)

    def composition() -> Any:
        return add(multiply(data, weight, num_hidden=units, no_bias=True), bias)

    return composition


def gemm_then(
    calls: Calls, tensors: Sequence[Any], *, alpha: float, beta: float, **last: Any
) -> Composition:
    """Multiply -> add -> activation with options of its own."""
    del tensors
    multiply, activate = calls

    def composition(lhs: Any, rhs: Any, bias: Any) -> Any:
        return activate(multiply(lhs, rhs, bias, alpha=alpha, beta=beta), **last)

    return composition
