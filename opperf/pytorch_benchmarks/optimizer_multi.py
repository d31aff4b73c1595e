"""PyTorch's optimizer updates of several weights, in one call or in a loop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Fusable, built, in_turn
from opperf.operators.optimizer import multi as optimizer_multi
from opperf.pytorch_benchmarks.optimizer import (
    HALF,
    PLAIN,
    adamw_update,
    sgd_momentum_update,
    sgd_update,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def multi_sgd_update(
    call: Callable[..., Any], add: Callable[..., Any], *tensors: Any, lr: float
) -> Step:
    """Bind lists of weights and gradients; in half precision the fused kernel is wrong."""
    if tensors[0].element_size() == HALF:
        return partial(add, list(tensors[::2]), list(tensors[1::2]), alpha=-lr)
    return fused_sgd(call, *tensors, lr=lr)


def fused_sgd(call: Callable[..., Any], *tensors: Any, lr: Any) -> Step:
    """Bind lists of weights and gradients, and none of velocities."""
    options = {"weight_decay": 0.0, "momentum": 0.0, "dampening": 0.0, "nesterov": False}
    flags = {"maximize": False, "is_first_step": False}
    return partial(call, list(tensors[::2]), list(tensors[1::2]), [], lr=lr, **options, **flags)


def preloaded_sgd_update(
    call: Callable[..., Any], whole: Callable[..., Any], full: Callable[..., Any],
    *tensors: Any, lr: float,
) -> Step:  # fmt: skip
    """Bind likewise, with the step size in a tensor; in half precision torch.optim's own call."""
    rate = full((), lr, device=tensors[0].device)
    if tensors[0].element_size() > HALF:
        return fused_sgd(call, *tensors, lr=rate)
    weights, gradients = list(tensors[::2]), list(tensors[1::2])
    options = {"momentum": 0.0, "dampening": 0.0, "nesterov": False}
    none = [None] * len(weights)
    return partial(whole, weights, gradients, none, lr=rate, **options, **PLAIN | {"fused": False})


TABLE = {
    optimizer_multi.MultiSGDUpdate: Fusable(
        fused=built("torch._fused_sgd_ + torch._foreach_add_", multi_sgd_update),
        unfused=built("torch.Tensor.sub_", in_turn(sgd_update, 2)),
    ),
    optimizer_multi.PreloadedMultiSGDUpdate: built(
        "torch._fused_sgd_ + torch.optim.sgd.sgd + torch.full", preloaded_sgd_update
    ),
    optimizer_multi.MultiSGDMomentumUpdate: Fusable(
        fused=built("torch.optim.sgd.sgd", sgd_momentum_update),
        unfused=built("torch.optim.sgd.sgd", in_turn(sgd_momentum_update, 3)),
    ),
    optimizer_multi.MultiAdamWUpdate: Fusable(
        fused=built("torch.optim.adamw.adamw + torch.full", adamw_update),
        unfused=built("torch.optim.adamw.adamw + torch.full", in_turn(adamw_update, 4, names=2)),
    ),
}
