"""PyTorch's rows of parts, compiled to one or left as they are; a loss of its own is one call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built
from opperf.operators.softmax.softmax import MASKED
from opperf.pytorch_benchmarks.binding.fusing import eager

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step
    from opperf.pytorch_benchmarks.binding.fusing import Calls, Composition


def gated_add_relu(calls: Calls) -> Composition:
    """Compose the three calls."""
    multiply, add, relu = calls

    def composition(data: Any, gate: Any, residual: Any) -> Any:
        return relu(add(multiply(data, gate), residual))

    return composition


def softmax_dropout(calls: Calls, *, p: float, training: bool) -> Composition:
    """Compose the two calls."""
    softmax, dropout = calls

    def composition(data: Any) -> Any:
        return dropout(softmax(data, -1), p, training)

    return composition


def bias_dropout_add(calls: Calls, *, p: float, training: bool) -> Composition:
    """Compose the calls, the sum twice."""
    add, dropout = calls

    def composition(data: Any, bias: Any, residual: Any) -> Any:
        return add(dropout(add(data, bias), p, training), residual)

    return composition


def scale_mask_softmax(calls: Calls, *, axis: int, scale: float) -> Composition:
    """Compose the three calls; a byte that is 0 or 1 is seen as a bool, without a copy.

    What the compiler generates of such a view is no valid C++; it fuses a conversion.
    """
    import torch

    multiply, replace, softmax = calls

    def composition(data: Any, mask: Any) -> Any:
        truth = mask.bool() if torch.compiler.is_compiling() else mask.view(torch.bool)
        return softmax(replace(multiply(data, scale), truth, MASKED), axis)

    return composition


def cross_entropy_parts(calls: Calls) -> Composition:
    """Compose the four calls; what is gathered is a column."""
    log_softmax, gather, add_up, negative = calls

    def composition(pred: Any, label: Any) -> Any:
        return negative(add_up(gather(log_softmax(pred, 1), 1, label.unsqueeze(1)), 0))

    return composition


def cross_entropy(call: Callable[..., Any], view: Callable[..., Any], *tensors: Any) -> Step:
    """Compose the sum over all samples with a view of one element."""

    def composition() -> Any:
        return view(call(*tensors, reduction="sum"), 1)

    return composition


def embedding_layer_norm(calls: Calls, *, eps: float) -> Composition:
    """Compose the two calls."""
    embedding, layer_norm = calls

    def composition(data: Any, weight: Any, gamma: Any, beta: Any) -> Any:
        return layer_norm(embedding(data, weight), gamma.shape, gamma, beta, eps)

    return composition


def add_rms_norm(calls: Calls, *, eps: float) -> Composition:
    """Compose the two calls."""
    add, rms_norm = calls

    def composition(data: Any, residual: Any, gamma: Any) -> Any:
        return rms_norm(add(data, residual), gamma.shape, gamma, eps)

    return composition


def group_norm_silu(calls: Calls, *, groups: int, eps: float) -> Composition:
    """Compose the two calls."""
    group_norm, silu = calls

    def composition(data: Any, gamma: Any, beta: Any) -> Any:
        return silu(group_norm(data, groups, gamma, beta, eps))

    return composition


def composed(compose: Callable[..., Composition], *calls: str) -> Implementation:
    """Name the parts of what PyTorch has a call of its own for."""
    return built(" + ".join(calls), partial(eager, compose, len(calls)))
