"""PyTorch's dense layers that are fused with what follows them, and what they replace."""

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
    """Compose the two calls."""
    linear, add = calls

    def composition(data: Any, weight: Any, bias: Any, residual: Any) -> Any:
        return add(linear(data, weight, bias), residual)

    return composition


def dense_then_bias(
    linear: Callable[..., Any], add: Callable[..., Any], data: Any, weight: Any, bias: Any
) -> Step:
    """Compose the two calls."""
    return lambda: add(linear(data, weight), bias)


def gemm_then(
    multiply: Callable[..., Any], activate: Callable[..., Any],
    lhs: Any, rhs: Any, bias: Any, **factors: float,
) -> Step:  # fmt: skip
    """Compose the two calls; torch takes first what is added."""
    return lambda: activate(multiply(bias, lhs, rhs, **factors))


def gemm(activation: str, *, use_gelu: bool) -> Fusable:
    """Name torch's own fused call beside the two that it replaces."""
    return Fusable(
        fused=built("torch._addmm_activation", partial(bias_first, use_gelu=use_gelu)),
        unfused=built(f"torch.addmm + {activation}", gemm_then),
    )
