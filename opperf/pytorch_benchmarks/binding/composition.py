"""PyTorch's compositions, compiled or eager, and its own cross-entropy."""

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
    """Multiply -> add -> relu."""
    multiply, add, relu = calls

    def composition(data: Any, gate: Any, residual: Any) -> Any:
        return relu(add(multiply(data, gate), residual))

    return composition


def softmax_dropout(calls: Calls, *, p: float, training: bool) -> Composition:
    """Softmax -> dropout."""
    softmax, dropout = calls

    def composition(data: Any) -> Any:
        return dropout(softmax(data, -1), p, training)

    return composition


def bias_dropout_add(calls: Calls, *, p: float, training: bool) -> Composition:
    """Add -> dropout -> add."""
    add, dropout = calls

    def composition(data: Any, bias: Any, residual: Any) -> Any:
        return add(dropout(add(data, bias), p, training), residual)

    return composition


def scale_mask_softmax(calls: Calls, *, axis: int, scale: float) -> Composition:
    """Multiply -> masked_fill -> softmax, with the mask of bytes viewed as bool.

    The compiler generates invalid C++ for such a view, so that compiled code converts; it fuses the
    conversion.
    """
    import torch

    multiply, replace, softmax = calls

    def composition(data: Any, mask: Any) -> Any:
        truth = mask.bool() if torch.compiler.is_compiling() else mask.view(torch.bool)
        return softmax(replace(multiply(data, scale), truth, MASKED), axis)

    return composition


def cross_entropy_parts(calls: Calls) -> Composition:
    """log_softmax -> gather of a column -> sum -> negative."""
    log_softmax, gather, add_up, negative = calls

    def composition(pred: Any, label: Any) -> Any:
        return negative(add_up(gather(log_softmax(pred, 1), 1, label.unsqueeze(1)), 0))

    return composition


def cross_entropy(call: Callable[..., Any], view: Callable[..., Any], *tensors: Any) -> Step:
    """cross_entropy with the sum of all samples -> view of one element."""

    def composition() -> Any:
        return view(call(*tensors, reduction="sum"), 1)

    return composition


def embedding_layer_norm(calls: Calls, *, eps: float) -> Composition:
    """Embedding -> layer_norm."""
    embedding, layer_norm = calls

    def composition(data: Any, weight: Any, gamma: Any, beta: Any) -> Any:
        return layer_norm(embedding(data, weight), gamma.shape, gamma, beta, eps)

    return composition


def add_rms_norm(calls: Calls, *, eps: float) -> Composition:
    """Add -> rms_norm."""
    add, rms_norm = calls

    def composition(data: Any, residual: Any, gamma: Any) -> Any:
        return rms_norm(add(data, residual), gamma.shape, gamma, eps)

    return composition


def group_norm_silu(calls: Calls, *, groups: int, eps: float) -> Composition:
    """group_norm -> silu."""
    group_norm, silu = calls

    def composition(data: Any, gamma: Any, beta: Any) -> Any:
        return silu(group_norm(data, groups, gamma, beta, eps))

    return composition


def composition_of(compose: Callable[..., Composition], *calls: str) -> Implementation:
    """Return the implementation in parts of what PyTorch also has one call for."""
    return built(" + ".join(calls), partial(eager, compose, len(calls)))
