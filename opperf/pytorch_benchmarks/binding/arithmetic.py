"""PyTorch's arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def masked_fill(call: Callable[..., Any], data: Any, mask: Any, *, value: float) -> Step:
    """Bind, with the mask as bool and the value in the data's kind of number."""
    kind = float if data.is_floating_point() else int
    return partial(call, data, mask.bool(), kind(value))


def quadratic(
    add: Callable[..., Any], add_product: Callable[..., Any], data: Any,
    *, a: float, b: float, c: float,
) -> Step:  # fmt: skip
    """C + b * data -> + a * data * data."""
    constant = data.new_tensor(c)
    return lambda: add_product(add(constant, data, alpha=b), data, data, value=a)


def add_three(call: Callable[..., Any], first: Any, second: Any, third: Any) -> Step:
    """Sum -> sum."""
    return lambda: call(call(first, second), third)
