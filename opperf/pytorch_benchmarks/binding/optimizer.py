"""PyTorch's optimizer updates: the functions behind torch.optim, fused where they can be."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from opperf.operators.optimizer import step as optimizer_step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.frameworks.device import Step


LATE = 1e6
"""A training step at which Adam's bias corrections are exactly 1."""

HALF = 2
"""Bytes of an element of half precision."""

PLAIN = {"fused": True, "weight_decay": 0.0, "maximize": False}


def sgd_update(call: Callable[..., Any], weight: Any, grad: Any, *, lr: float) -> Step:
    """SGD without momentum."""
    return partial(call, weight, grad, alpha=lr)


def sgd_momentum_update(
    call: Callable[..., Any], *tensors: Any, lr: float, momentum: float
) -> Step:
    """SGD with momentum, of one weight or several; the velocity includes the step size.

    PyTorch's does not, so its step size is -1, and the damping 1 + lr scales the gradient by -lr.
    """
    groups = [list(tensors[at::3]) for at in range(3)]
    options = {"lr": -1.0, "momentum": momentum, "dampening": 1 + lr, "nesterov": False}
    return partial(call, *groups, **PLAIN, **options)


def adam_update(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, mean: Any, var: Any, *, epsilon: float, **attributes: float,
) -> Step:  # fmt: skip
    """Adam at a late step; each call increments it, as in training."""
    tensors = [weight], [grad], [mean], [var]
    late = [full((), LATE, device=weight.device)]
    steps = {"max_exp_avg_sqs": [], "state_steps": late, "amsgrad": False}
    return partial(call, *tensors, **steps, **PLAIN, eps=epsilon, **attributes)


def rmsprop_update(  # noqa: PLR0913, PLR0917 - tensors and attributes by definition
    scale: Callable[..., Any], add_product: Callable[..., Any], add: Callable[..., Any],
    root: Callable[..., Any], add_quotient: Callable[..., Any], weight: Any, grad: Any, n: Any,
    *, lr: float, rho: float, epsilon: float,
) -> Step:  # fmt: skip
    """RMSProp with the calls of torch.optim.rmsprop, which adds epsilon after the root."""

    def composition() -> None:
        add_product(scale(n, rho), grad, grad, value=1 - rho)
        add_quotient(weight, grad, root(add(n, epsilon)), value=-lr)

    return composition


def adam_like(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, mean: Any, var: Any,
    *, epsilon: float, further: Mapping[str, object], **attributes: float,
) -> Step:  # fmt: skip
    """A variant of Adam at a late step; `further` are its additional arguments."""
    steps = [full((), LATE, device=weight.device)]
    options = {"state_steps": steps, "weight_decay": 0.0, "eps": epsilon, **further}
    return partial(call, [weight], [grad], [mean], [var], **options, **attributes)


def nadam_update(
    call: Callable[..., Any], full: Callable[..., Any], *tensors: Any, **attributes: Any
) -> Step:
    """NAdam; at a late step the product of all momenta is zero."""
    products = [full((), 0.0, device=tensors[0].device)]
    further = {"mu_products": products, "momentum_decay": 0.004}
    return adam_like(call, full, *tensors, further=further, **attributes)


def adamw_update(
    call: Callable[..., Any], full: Callable[..., Any], *tensors: Any,
    epsilon: float, wd: float, **attributes: float,
) -> Step:  # fmt: skip
    """AdamW of one weight or several."""
    groups = [list(tensors[at::4]) for at in range(4)]
    late = [full((), LATE, device=weight.device) for weight in groups[0]]
    options = {**PLAIN, "weight_decay": wd, "max_exp_avg_sqs": [], "amsgrad": False}
    return partial(call, *groups, state_steps=late, **options, eps=epsilon, **attributes)


def adagrad_update(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, history: Any, *, lr: float, epsilon: float,
) -> Step:  # fmt: skip
    """Adagrad without decay of the step size."""
    steps = [full((), 0.0, device=weight.device)]
    options = {"lr": lr, "eps": epsilon, "lr_decay": 0.0, **PLAIN}
    return partial(call, [weight], [grad], [history], steps, **options)


def adadelta_update(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, square: Any, delta: Any, *, rho: float, epsilon: float,
) -> Step:  # fmt: skip
    """Adadelta with a step size of 1."""
    steps = [full((), 0.0, device=weight.device)]
    options = {"lr": 1.0, "rho": rho, "eps": epsilon, "weight_decay": 0.0, "maximize": False}
    return partial(call, [weight], [grad], [square], [delta], steps, **options)


def centered_rmsprop_update(  # noqa: PLR0913, PLR0917 - tensors and attributes by definition
    scale: Callable[..., Any], add_product: Callable[..., Any], mean: Callable[..., Any],
    minus_product: Callable[..., Any], root: Callable[..., Any], add_quotient: Callable[..., Any],
    weight: Any, grad: Any, n: Any, g: Any, delta: Any,
    *, lr: float, rho: float, momentum: float, epsilon: float,
) -> Step:  # fmt: skip
    """Centered RMSProp by the calls of torch.optim.rmsprop; its velocity has the step size."""

    def composition() -> None:
        add_product(scale(n, rho), grad, grad, value=1 - rho)
        mean(g, grad, 1 - rho)
        deviation = root(minus_product(n, g, g, value=-1).add_(epsilon))
        weight.add_(add_quotient(scale(delta, momentum), grad, deviation, value=-lr))

    return composition


@lru_cache(maxsize=1)
def scaled_copy(tensor: Any, factor: float) -> Any:
    """Return tensor * factor; the copies of one operator share the result."""
    return tensor * factor


def nag_update(
    call: Callable[..., Any], weight: Any, grad: Any, mom: Any, *, lr: float, momentum: float
) -> Step:
    """SGD with Nesterov's momentum; gradients are scaled by -lr beforehand.

    PyTorch's velocity is a sum of gradients: with a step size of -1 its kernel then is the formula.
    In half precision the fused kernel of PyTorch 2.13 computes something else; its plain passes do
    not.
    """
    exact = weight.element_size() > HALF
    options = {**PLAIN, "lr": -1.0, "momentum": momentum, "dampening": 0.0, "nesterov": True}
    return partial(call, [weight], [scaled_copy(grad, -lr)], [mom], **{**options, "fused": exact})


def signsgd_update(
    add: Callable[..., Any], sign: Callable[..., Any], weight: Any, grad: Any, *, lr: float
) -> Step:
    """Sign -> add."""

    def composition() -> None:
        add(weight, sign(grad), alpha=-lr)

    return composition


def signum_update(  # noqa: PLR0913 - tensors and attributes by definition
    mean: Callable[..., Any], sign: Callable[..., Any], add: Callable[..., Any],
    weight: Any, grad: Any, mom: Any, *, lr: float, momentum: float,
) -> Step:  # fmt: skip
    """Lerp -> sign -> add, with negative gradients made beforehand."""
    descent = scaled_copy(grad, -1)

    def composition() -> None:
        add(weight, sign(mean(mom, descent, 1 - momentum)), alpha=lr)

    return composition


def lamb_phase2(  # noqa: PLR0913 - tensors and attributes by definition
    divide: Callable[..., Any], add_product: Callable[..., Any],
    weight: Any, g: Any, r1: Any, r2: Any, *, lr: float,
) -> Step:  # fmt: skip
    """The trust ratio -> step along the direction."""

    def composition() -> None:
        add_product(weight, g, divide(r1, r2), value=-lr)

    return composition


def rprop_update(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], full: Callable[..., Any],
    weight: Any, grad: Any, before: Any, step: Any, *, shrink: float, grow: float,
) -> Step:  # fmt: skip
    """Rprop with the declaration's bounds of the step."""
    least, most = optimizer_step.LEAST_STEP, optimizer_step.MOST_STEP
    bounds = {"step_size_min": least, "step_size_max": most}
    steps = [full((), 0.0, device=weight.device)]
    options = {"etaminus": shrink, "etaplus": grow, **bounds}
    return partial(call, [weight], [grad], [before], [step], steps, **options)
