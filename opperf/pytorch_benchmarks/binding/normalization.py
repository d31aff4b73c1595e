"""PyTorch's normalizations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def batch_norm(  # noqa: PLR0913 - five tensors by definition
    call: Callable[..., Any], data: Any, gamma: Any, beta: Any, mean: Any, var: Any,
    *, eps: float, momentum: float, training: bool,
) -> Step:  # fmt: skip
    """Batch normalization; PyTorch's momentum is the share of the new statistics."""
    return partial(call, data, mean, var, gamma, beta, training, 1 - momentum, eps)


def inference_batch_norm(
    call: Callable[..., Any], *tensors: Any, eps: float, momentum: float
) -> Step:
    """Batch normalization by the moving statistics, also while recording."""
    return batch_norm(call, *tensors, eps=eps, momentum=momentum, training=False)


def batch_norm_then_relu(
    call: Callable[..., Any], activate: Callable[..., Any], *tensors: Any, **attributes: Any
) -> Step:
    """batch_norm -> relu."""
    normalized = batch_norm(call, *tensors, **attributes)
    return lambda: activate(normalized())


def rms_norm(call: Callable[..., Any], data: Any, gamma: Any, *, eps: float) -> Step:
    """rms_norm; PyTorch takes the normalized shape."""
    return partial(call, data, gamma.shape, gamma, eps)


def layer_norm(call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, eps: float) -> Step:
    """layer_norm; PyTorch takes the normalized shape."""
    return partial(call, data, gamma.shape, gamma, beta, eps)


def instance_norm(
    call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, eps: float
) -> Step:
    """instance_norm without running statistics."""
    return partial(call, data, weight=gamma, bias=beta, eps=eps)


def group_norm(
    call: Callable[..., Any], data: Any, gamma: Any, beta: Any, *, groups: int, eps: float
) -> Step:
    """group_norm."""
    return partial(call, data, groups, gamma, beta, eps)
