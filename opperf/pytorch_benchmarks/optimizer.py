"""PyTorch's optimizer updates: the functions behind torch.optim, fused where they can be."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import optimizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step

LATE = 1e6
"""A step of training at which the corrections of Adam's bias are exactly 1."""
PLAIN = {"fused": True, "weight_decay": 0.0, "maximize": False}


def sgd_momentum_update(
    call: Callable[..., Any], weight: Any, grad: Any, mom: Any, *, lr: float, momentum: float
) -> Step:
    """Bind; torch keeps the step size outside of the velocity, so its own is -1.

    What is left of a gradient after damping, 1 - (1 + lr), is then what ours takes of it.
    """
    options = {"lr": -1.0, "momentum": momentum, "dampening": 1 + lr, "nesterov": False}
    return partial(call, [weight], [grad], [mom], **PLAIN, **options)


def adam_update(  # noqa: PLR0913 - four tensors by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, mean: Any, var: Any, *, epsilon: float, **attributes: float,
) -> Step:  # fmt: skip
    """Bind, with a late step; each call counts it on, as in training."""
    tensors = [weight], [grad], [mean], [var]
    late = [full((), LATE, device=weight.device)]
    steps = {"max_exp_avg_sqs": [], "state_steps": late, "amsgrad": False}
    return partial(call, *tensors, **steps, **PLAIN, eps=epsilon, **attributes)


def rmsprop_update(  # noqa: PLR0913, PLR0917 - five calls, then three tensors
    scale: Callable[..., Any], add_product: Callable[..., Any], add: Callable[..., Any],
    root: Callable[..., Any], add_quotient: Callable[..., Any], weight: Any, grad: Any, n: Any,
    *, lr: float, rho: float, epsilon: float,
) -> Step:  # fmt: skip
    """Compose the calls of torch.optim.rmsprop, which adds epsilon only after the root."""

    def composition() -> None:
        add_product(scale(n, rho), grad, grad, value=1 - rho)
        add_quotient(weight, grad, root(add(n, epsilon)), value=-lr)

    return composition


TABLE = {
    optimizer.SGDUpdate: native("torch.Tensor.sub_", rename={"lr": "alpha"}),
    optimizer.SGDMomentumUpdate: built("torch.optim.sgd.sgd", sgd_momentum_update),
    optimizer.AdamUpdate: built("torch.optim.adam.adam + torch.full", adam_update),
    optimizer.RMSPropUpdate: built(
        "torch.Tensor.mul_ + torch.Tensor.addcmul_ + torch.add + torch.Tensor.sqrt_"
        " + torch.Tensor.addcdiv_",
        rmsprop_update,
    ),
}
