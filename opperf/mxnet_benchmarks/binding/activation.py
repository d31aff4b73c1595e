"""MXNet's activations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def swish(sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Return data * sigmoid(data), as in gluon.nn.Swish; MXNet has no single call."""

    def composition() -> Any:
        return multiply(data, sigmoid(data))

    return composition


def tanh_shrink(tanh: Callable[..., Any], subtract: Callable[..., Any], data: Any) -> Step:
    """Return data - tanh(data)."""
    return lambda: subtract(data, tanh(data))


def glu(
    split: Callable[..., Any], sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any
) -> Step:
    """Return lhs * sigmoid(rhs) of the two halves."""

    def composition() -> Any:
        first, second = split(data, num_outputs=2, axis=-1)
        return multiply(first, sigmoid(second))

    return composition


def hard_swish(gate: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Return data * hard_sigmoid(data)."""
    return lambda: multiply(data, gate(data, alpha=1 / 6, beta=0.5))


def soft_shrink(
    clip: Callable[..., Any], subtract: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """Return data - clip(data, -lambd, lambd)."""
    return lambda: subtract(data, clip(data, -limit, limit))


def hard_shrink(
    size: Callable[..., Any], above: Callable[..., Any], multiply: Callable[..., Any],
    data: Any, *, limit: float,
) -> Step:  # fmt: skip
    """Return data * (|data| > lambd)."""
    return lambda: multiply(data, above(size(data), limit))


def celu(
    divide: Callable[..., Any], activate: Callable[..., Any], multiply: Callable[..., Any],
    data: Any, *, alpha: float,
) -> Step:  # fmt: skip
    """Return alpha * elu(data / alpha)."""
    options = {"act_type": "elu", "slope": 1.0}
    return lambda: multiply(activate(divide(data, alpha), **options), alpha)


def relu6_in_place(clip: Callable[..., Any], data: Any) -> Step:
    """Return data clipped to [0, 6], stored in data."""
    return partial(clip, data, a_min=0, a_max=6, out=data)


def leaky_in_place(rectify: Callable[..., Any], data: Any, *, alpha: float) -> Step:
    """Return data, or alpha * data below zero, stored in data."""
    return partial(rectify, data, act_type="leaky", slope=alpha, out=data)


def swish_in_place(sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Return data * sigmoid(data), stored in data."""
    return lambda: multiply(data, sigmoid(data))


def hard_swish_in_place(gate: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Return data * hard_sigmoid(data), stored in data."""
    return lambda: multiply(data, gate(data, alpha=1 / 6, beta=0.5))
