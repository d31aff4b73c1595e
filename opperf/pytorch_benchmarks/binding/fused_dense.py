"""PyTorch's dense layers fused with what follows them, and the parts that they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Fusable, built
from opperf.pytorch_benchmarks.binding.gemm import bias_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step
    from opperf.pytorch_benchmarks.binding.fusing import Calls, Composition


def dense_add(calls: Calls) -> Composition:
    """Linear -> add."""
    linear, add = calls

    def composition(data: Any, weight: Any, bias: Any, residual: Any) -> Any:
        return add(linear(data, weight, bias), residual)

    return composition


def dense_then_bias(
    linear: Callable[..., Any], add: Callable[..., Any], data: Any, weight: Any, bias: Any
) -> Step:
    """Matmul -> add."""
    return lambda: add(linear(data, weight), bias)


def gemm_then(
    multiply: Callable[..., Any], activate: Callable[..., Any],
    lhs: Any, rhs: Any, bias: Any, **factors: float,
) -> Step:  # fmt: skip
    """Addmm -> activation; PyTorch takes the summand first."""
    return lambda: activate(multiply(bias, lhs, rhs, **factors))


def gemm(activation: str, *, use_gelu: bool) -> Fusable:
    """Return the implementation by PyTorch's own fused call, and by the two that it replaces."""
    return Fusable(
        fused=built("torch._addmm_activation", partial(bias_first, use_gelu=use_gelu)),
        unfused=built(f"torch.addmm + {activation}", gemm_then),
    )
