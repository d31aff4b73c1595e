"""MXNet's arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def floor_divide(divide: Callable[..., Any], down: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """floor(lhs / rhs)."""
    return lambda: down(divide(lhs, rhs))


def add_scaled(  # noqa: PLR0913 - three calls, then the operator's inputs
    combine: Callable[..., Any], scale: Callable[..., Any], add: Callable[..., Any],
    data: Any, lhs: Any, rhs: Any, *, value: float,
) -> Step:  # fmt: skip
    """Return data + value * (lhs * rhs) or data + value * (lhs / rhs)."""
    return lambda: add(data, scale(combine(lhs, rhs), value))


def interpolate(
    subtract: Callable[..., Any], multiply: Callable[..., Any], add: Callable[..., Any],
    start: Any, end: Any, weight: Any,
) -> Step:  # fmt: skip
    """Return lhs + weight * (rhs - lhs)."""
    return lambda: add(start, multiply(weight, subtract(end, start)))


def threshold(
    above: Callable[..., Any], choose: Callable[..., Any], full: Callable[..., Any],
    data: Any, *, limit: float, value: float,
) -> Step:  # fmt: skip
    """Return data > threshold ? data : value, with a tensor of the value made beforehand."""
    values = full(data.shape, value, dtype=data.dtype)
    return lambda: choose(above(data, limit), data, values)


def masked_fill_in_place(
    choose: Callable[..., Any], full: Callable[..., Any], data: Any, mask: Any, *, value: float
) -> Step:
    """Return mask ? value : data, stored in data, with a tensor of the value made beforehand."""
    values = full(data.shape, value, dtype=data.dtype)
    return lambda: choose(mask, values, data, out=data)


def masked_fill(
    choose: Callable[..., Any], full: Callable[..., Any], data: Any, mask: Any, *, value: float
) -> Step:
    """Return mask ? value : data, with a tensor of the value made beforehand."""
    values = full(data.shape, value, dtype=data.dtype)
    return lambda: choose(mask, values, data)
