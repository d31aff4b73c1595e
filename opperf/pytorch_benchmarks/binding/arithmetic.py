"""PyTorch's arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def masked_fill(call: Callable[..., Any], data: Any, mask: Any, *, value: float) -> Step:
    """Return mask ? value : data, with a bool mask and the value as a number of the data's kind."""
    kind = float if data.is_floating_point() else int
    return partial(call, data, mask.bool(), kind(value))


def quadratic(
    add: Callable[..., Any], add_product: Callable[..., Any], data: Any,
    *, a: float, b: float, c: float,
) -> Step:  # fmt: skip
    """Return a * data^2 + (b * data + c)."""
    constant = data.new_tensor(c)
    return lambda: add_product(add(constant, data, alpha=b), data, data, value=a)


def add_three(call: Callable[..., Any], first: Any, second: Any, third: Any) -> Step:
    """Lhs + mhs -> + rhs."""
    return lambda: call(call(first, second), third)
