"""MXNet's smooth activations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def swish(sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Compose the two calls: MXNet has no single one, and gluon.nn.Swish makes the same."""

    def composition() -> Any:
        return multiply(data, sigmoid(data))

    return composition


def tanh_shrink(tanh: Callable[..., Any], subtract: Callable[..., Any], data: Any) -> Step:
    """Tanh -> subtract."""
    return lambda: subtract(data, tanh(data))


def glu(
    split: Callable[..., Any], sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any
) -> Step:
    """Split in halves -> sigmoid of the second -> product."""

    def composition() -> Any:
        first, second = split(data, num_outputs=2, axis=-1)
        return multiply(first, sigmoid(second))

    return composition
