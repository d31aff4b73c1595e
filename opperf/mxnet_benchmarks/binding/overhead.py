"""MXNet's smallest calls, and its control flow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def read(call: Callable[..., Any], data: Any) -> Step:
    """Convert to a Python number; the tensor is returned for the check."""

    def composition() -> Any:
        call(data)
        return data

    return composition


def add(row: Any, state: Any) -> tuple[Any, Any]:
    """Return the sum so far, as output and as state."""
    total = row + state
    return total, total


def foreach(call: Callable[..., Any], data: Any) -> Step:
    """The cumulative sum of rows, from a state of zeros."""
    start = data[0].detach() * 0

    def composition() -> Any:
        return call(add, data, start)[0]

    return composition


def while_loop(call: Callable[..., Any], data: Any, *, times: int) -> Step:
    """Repeated doubling, with counter and data as loop variables."""
    start = data.reshape(-1)[:1].detach() * 0

    def going_on(counter: Any, _: Any) -> Any:
        return counter < times

    def double(counter: Any, values: Any) -> tuple[list[Any], list[Any]]:
        return [], [counter + 1, values * 2]

    def composition() -> Any:
        return call(going_on, double, [start, data], max_iterations=times)[1][1]

    return composition


def cond(call: Callable[..., Any], data: Any, flag: Any) -> Step:
    """Return flag ? 2 * data : data^2."""
    return partial(call, flag > 0, lambda: data * 2, lambda: data * data)
