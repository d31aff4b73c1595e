"""MXNet's compositions that its oneDNN does not fuse, and its own cross-entropy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.mxnet_benchmarks.binding.fusing import RELU
from opperf.operators.softmax.softmax import MASKED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


def gated_add_relu(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """Multiply -> add -> relu."""
    del tensors
    multiply, add, activate = calls

    def composition(data: Any, gate: Any, residual: Any) -> Any:
        return activate(add(multiply(data, gate), residual), **RELU)

    return composition


def bias_gelu(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """Add -> gelu."""
    del tensors
    add, activate = calls

    def composition(data: Any, bias: Any) -> Any:
        return activate(add(data, bias), act_type="gelu")

    return composition


def softmax_dropout(
    calls: Calls, tensors: Sequence[Any], *, p: float, training: bool
) -> Composition:
    """Softmax -> dropout; autograd's recording scope selects training."""
    del tensors, training
    softmax, dropout = calls

    def composition(data: Any) -> Any:
        return dropout(softmax(data), p=p)

    return composition


def bias_dropout_add(
    calls: Calls, tensors: Sequence[Any], *, p: float, training: bool
) -> Composition:
    """Add -> dropout -> add; autograd's recording scope selects training."""
    del tensors, training
    add, dropout = calls

    def composition(data: Any, bias: Any, residual: Any) -> Any:
        return add(dropout(add(data, bias), p=p), residual)

    return composition


def scale_mask_softmax(
    calls: Calls, tensors: Sequence[Any], *, axis: int, scale: float
) -> Composition:
    """Multiply -> where -> softmax, with the masked scores in a tensor made beforehand."""
    choose, softmax, full = calls
    scores = full(tensors[0].shape, MASKED, dtype=tensors[0].dtype)

    def composition(data: Any, mask: Any) -> Any:
        return softmax(choose(mask, scores, data * scale), axis=axis)

    return composition


def embedding_layer_norm(calls: Calls, tensors: Sequence[Any], *, eps: float) -> Composition:
    """Embedding -> layer_norm."""
    embedding, normalize = calls
    rows, features = tensors[1].shape
    table = {"input_dim": rows, "output_dim": features, "dtype": tensors[1].dtype}

    def composition(data: Any, weight: Any, gamma: Any, beta: Any) -> Any:
        return normalize(embedding(data, weight, **table), gamma, beta, eps=eps)

    return composition


def group_norm_silu(
    calls: Calls, tensors: Sequence[Any], *, groups: int, eps: float
) -> Composition:
    """group_norm -> scale and shift by channel (MXNet's are by group) -> multiply by sigmoid."""
    normalize, multiply, add, sigmoid, full = calls
    shape, dtype = (1, -1, 1, 1), tensors[0].dtype
    ones, zeros = (full((groups,), value, dtype=dtype) for value in (1, 0))

    def composition(data: Any, gamma: Any, beta: Any) -> Any:
        normal = normalize(data, ones, zeros, num_groups=groups, eps=eps)
        normal = add(multiply(normal, gamma.reshape(shape)), beta.reshape(shape))
        return normal * sigmoid(normal)

    return composition


def cross_entropy_parts(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """log_softmax -> pick -> sum -> negative."""
    del tensors
    log_softmax, pick, add_up, negative = calls

    def composition(pred: Any, label: Any) -> Any:
        return negative(add_up(pick(log_softmax(pred), label)))

    return composition


def cross_entropy(call: Callable[..., Any], pred: Any, label: Any) -> Step:
    """softmax_cross_entropy, with labels in the dtype of the scores, as MXNet requires."""
    return partial(call, pred, label.astype(pred.dtype))
