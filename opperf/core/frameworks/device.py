"""The device under the operator: how to wait for it and how to time it."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING

from opperf.core.memory.available import available_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Step = Callable[[], object]
    """One call of an operator in one direction, ready to be timed."""
    Clock = Callable[[], int]
    """A monotonic clock in nanoseconds."""


def already_done() -> None:
    """Wait for a device that has finished whenever a call returns."""


@dataclass(frozen=True, kw_only=True)
class Device:
    """Where a workload runs, timed by the host's clock round a synchronized batch of steps.

    `interval` is the least time in seconds that one sample should last; `constant` bounds the time
    that starting and awaiting a batch adds once, which an asynchronous device hides in its queue;
    `cache_bytes` is its last-level cache, None for the processor's own; `free_bytes` returns the
    memory that it has left, None where that cannot be told; `beside` says whether threads other
    than the caller's do the work.
    """

    name: str = "cpu"
    synchronize: Step = already_done
    interval: float = 200e-6
    constant: float = 0.0
    cache_bytes: int | None = None
    free_bytes: Callable[[], int | None] = available_memory
    clock: Clock = perf_counter_ns
    beside: bool = False

    def time(self, steps: Iterable[Step]) -> float:
        """Return the seconds from an idle device through all steps to an idle device."""
        synchronize, clock = self.synchronize, self.clock
        synchronize()
        start = clock()
        for step in steps:
            step()
        synchronize()
        return (clock() - start) * 1e-9
