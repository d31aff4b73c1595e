"""PyTorch's optimizer updates of several weights, in one call or in a loop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.pytorch_benchmarks.binding.optimizer import (
    HALF,
    PLAIN,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def multi_sgd_update(
    call: Callable[..., Any], add: Callable[..., Any], *tensors: Any, lr: float
) -> Step:
    """SGD of lists of weights; not fused in half precision, where that kernel is wrong."""
    if tensors[0].element_size() == HALF:
        return partial(add, list(tensors[::2]), list(tensors[1::2]), alpha=-lr)
    return fused_sgd(call, *tensors, lr=lr)


def fused_sgd(call: Callable[..., Any], *tensors: Any, lr: Any) -> Step:
    """Fused SGD of lists of weights, without velocities."""
    options = {"weight_decay": 0.0, "momentum": 0.0, "dampening": 0.0, "nesterov": False}
    flags = {"maximize": False, "is_first_step": False}
    return partial(call, list(tensors[::2]), list(tensors[1::2]), [], lr=lr, **options, **flags)


def preloaded_sgd_update(
    call: Callable[..., Any], whole: Callable[..., Any], full: Callable[..., Any],
    *tensors: Any, lr: float,
) -> Step:  # fmt: skip
    """SGD of lists of weights with the step size in a tensor; not fused in half precision."""
    rate = full((), lr, device=tensors[0].device)
    if tensors[0].element_size() > HALF:
        return fused_sgd(call, *tensors, lr=rate)
    weights, gradients = list(tensors[::2]), list(tensors[1::2])
    options = {"momentum": 0.0, "dampening": 0.0, "nesterov": False}
    none = [None] * len(weights)
    return partial(whole, weights, gradients, none, lr=rate, **options, **PLAIN | {"fused": False})
