"""MXNet's smooth activations."""

from __future__ import annotations

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
