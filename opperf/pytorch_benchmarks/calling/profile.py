"""What PyTorch's profiler gives each operator that a network calls."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import torch

from opperf.calls.capturing.source import StepProfile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

NOT_OPERATORS = ("autograd", "profiler")
"""Namespaces of what the profiler also times: the nodes of a backward, its own marks."""


def profile_steps(
    step: Callable[[], object], steps: int, operators: Collection[str]
) -> StepProfile:
    """Return the seconds of each operator of a step, and of the step.

    Each of `operators` has what it calls within itself; what others are made of, such as
    linear, has the rest, and is overhead between operators.
    """
    with torch.autograd.profiler.profile() as profile:
        began = time.perf_counter()
        for _ in range(steps):
            step()
        seconds = time.perf_counter() - began
    found: Counter[str] = Counter()
    for event in profile.function_events:
        if event.cpu_parent is None:
            add_times(event, operators, found)
    times = {name: microseconds * 1e-6 / steps for name, microseconds in found.items()}
    return StepProfile(operators=times, seconds=seconds / steps)


def operator_times(step: Callable[[], object], steps: int) -> tuple[dict[str, float], float]:
    """Return the seconds of each operator of a step, what it calls apart, and of the step."""
    found = profile_steps(step, steps, ())
    return found.operators, found.seconds or 0.0


def add_times(event: Any, operators: Collection[str], found: Counter[str]) -> None:
    """Add an event's microseconds, its callees' by themselves unless it is called as a whole."""
    namespace, _, name = event.name.partition("::")
    operator = f"{namespace}.{name}"
    whole = operator in operators
    device = "device_time_total" if whole else "self_device_time_total"
    host = "cpu_time_total" if whole else "self_cpu_time_total"
    if name.isidentifier() and namespace not in NOT_OPERATORS:
        found[operator] += getattr(event, device, 0) or getattr(event, host)
    for child in () if whole else event.cpu_children:
        add_times(child, operators, found)
