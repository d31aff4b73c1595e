"""MXNet's optimizer updates: one kernel each, for several weights in one call or in a loop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.frameworks.device import Step


def update(call: Callable[..., Any], weight: Any, *tensors: Any, **attributes: float) -> Step:
    """An update with the weight as its output; states change in place."""
    return partial(call, weight, *tensors, **attributes, out=weight)


def adagrad_update(  # noqa: PLR0913 - tensors and attributes by definition
    square: Callable[..., Any], root: Callable[..., Any], weight: Any, grad: Any, history: Any,
    *, lr: float, epsilon: float,
) -> Step:  # fmt: skip
    """Adagrad as in mxnet.optimizer.AdaGrad, with epsilon outside of the root."""

    def composition() -> None:
        history[:] += square(grad)
        weight[:] -= lr * grad / (root(history) + epsilon)

    return composition


def adadelta_update(  # noqa: PLR0913 - tensors and attributes by definition
    square: Callable[..., Any], root: Callable[..., Any],
    weight: Any, grad: Any, squares: Any, deltas: Any, *, rho: float, epsilon: float,
) -> Step:  # fmt: skip
    """Adadelta as in mxnet.optimizer.AdaDelta."""

    def composition() -> None:
        squares[:] *= rho
        squares[:] += (1 - rho) * square(grad)
        delta = root(deltas + epsilon) / root(squares + epsilon) * grad
        deltas[:] *= rho
        deltas[:] += (1 - rho) * square(delta)
        weight[:] -= delta

    return composition


def adamw_update(
    call: Callable[..., Any], ones: Callable[..., Any],
    weight: Any, *tensors: Any, lr: float, wd: float, **attributes: float,
) -> Step:  # fmt: skip
    """AdamW; MXNet's decay is not times the step size, and its gradient scale is float32."""
    scale = ones((1,))
    rates = {"lr": lr, "wd": lr * wd, "eta": 1.0}
    return partial(call, weight, *tensors, scale, **rates, **attributes, out=weight)


def lamb_phase1(call: Callable[..., Any], *tensors: Any, **attributes: float) -> Step:
    """The first phase of LAMB, with the direction as the output."""
    *inputs, g = tensors
    return partial(call, *inputs, **attributes, out=g)


def multi_update(
    call: Callable[..., Any], *tensors: Any, lr: float, parts: int, **attributes: float
) -> Step:
    """An update of several weights in one call, with rates for each."""
    count = len(tensors) // parts
    rates = {"lrs": (lr,) * count, "wds": (0.0,) * count, "num_weights": count}
    return partial(call, *tensors, **rates, **attributes, out=list(tensors[::parts]))


def preloaded_multi_update(
    call: Callable[..., Any], full: Callable[..., Any], *tensors: Any,
    lr: float, parts: int, **attributes: float,
) -> Step:  # fmt: skip
    """An update of several weights in one call, with the rates in tensors."""
    count = len(tensors) // parts
    rates = full((count,), lr), full((count,), 0.0)
    outputs = list(tensors[::parts])
    return partial(call, *tensors, *rates, num_weights=count, **attributes, out=outputs)


def multi_adamw_update(
    call: Callable[..., Any], ones: Callable[..., Any], *tensors: Any,
    lr: float, wd: float, **attributes: float,
) -> Step:  # fmt: skip
    """AdamW of several weights, by lists of tensors and a gradient scale in a tensor."""
    groups = [list(tensors[at::4]) for at in range(4)]
    count = len(groups[0])
    rates = {"lrs": [lr] * count, "wds": [lr * wd] * count, "etas": [1.0] * count}
    scale = ones((1,), dtype=tensors[0].dtype)
    return partial(call, *groups, scale, out=groups[0], size=count, **rates, **attributes)


def own_output(name: str, rename: Mapping[str, str] | None = None) -> Implementation:
    """Return the implementation of an update whose weight is its output."""
    names = rename or {}

    def build(call: Callable[..., Any], *tensors: Any, **attributes: float) -> Step:
        renamed = {names.get(key, key): value for key, value in attributes.items()}
        return update(call, *tensors, **renamed)

    return built(name, build)


def multi_tensor(name: str, parts: int) -> Implementation:
    """Return the implementation of an update of several weights with `count` tensors each."""
    if "preloaded" in name:
        return built(f"{name} + mxnet.nd.full", partial(preloaded_multi_update, parts=parts))
    return built(name, partial(multi_update, parts=parts))
