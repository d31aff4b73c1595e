"""User instructions of one call, as the processor counts them: no neighbor disturbs them."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from opperf.core.environment.perf_event import AVAILABLE, Counters, availability
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import accept_all
from opperf.core.timing.measure import without_collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.workload import Work

SHORT = 4
"""A batch so many times shorter is taken off, and with it what happens once a batch."""


def counters(work: Work, iterations: int, settings: Settings) -> dict[str, float | None] | None:
    """Return the instructions of one call of a work, net of the harness's; None where unknown.

    They are counted in a pass of their own, of single-threaded runs on the host: threads that wait
    for each other would count their waiting.
    """
    if settings.threads != 1 or work.device.name != "cpu" or availability() != AVAILABLE:
        return None
    try:
        with without_collector(), work.context(), Counters() as counting:
            found = net(counting, work, max(min(iterations, work.limit), work.least))
    except OSError:
        return None
    return None if found is None else {"instructions": found}


def net(counting: Counters, work: Work, iterations: int) -> float | None:
    """Return the events of one call, less those of the harness's loop and of starting a batch."""
    bare = Device(clock=work.device.clock)
    found = per_call(counting, work.device, work.steps, iterations, work.least)
    loop = per_call(counting, bare, partial(repeat, work.no_op), iterations)
    nothing = per_call(counting, bare, partial(repeat, accept_all), iterations)
    if found is None or loop is None or nothing is None:
        return None
    return max(found - (loop - nothing), 0.0)


def per_call(
    counting: Counters,
    device: Device,
    steps: Callable[[int], Iterable[Step]],
    iterations: int,
    least: int = 1,
) -> float | None:
    """Return the events of one step: the slope between a short and a long batch of them."""
    short = max(iterations // SHORT, least)
    long_count = count(counting, device, steps(iterations))
    if short >= iterations:
        return None if long_count is None else long_count / iterations
    short_count = count(counting, device, steps(short))
    if long_count is None or short_count is None:
        return None
    return (long_count - short_count) / (iterations - short)


def count(counting: Counters, device: Device, steps: Iterable[Step]) -> int | None:
    """Return the events of a batch of steps that are ready to be made."""
    before = counting.read()
    device.time(steps)
    after = counting.read()
    return None if before is None or after is None else after - before
