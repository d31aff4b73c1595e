"""Batches between two CUDA events, behind a blocker that keeps the GPU busy meanwhile.

The blocker is a kernel that does nothing but pass time (`torch.cuda._sleep`). The host submits the
whole batch while it runs, so that the GPU, once it begins, never waits for the host.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Clock, Step

LEAST_BLOCK, LONGEST_BLOCK = 100e-6, 0.05
"""Seconds of a blocker: the shortest covers an event's creation, the longest bounds the waiting."""
MARGIN = 2.0
"""A blocker lasts so many times what submitting should take: clocks change, and hosts hesitate."""
SLEEPS = (500_000, 4_000_000)
"""Cycles of the two sleeps that the rate is measured by: about 0.3 and 2 ms."""
RATE_SAMPLES = 5
LEAST_TICK = 1e-9
"""Seconds: far below what an event resolves, and above zero."""
FASTEST = 1e10
"""No GPU counts as many cycles a second."""


@dataclass(frozen=True)
class TimedBatch:
    """A batch's seconds on the GPU and of its submission on the host.

    `covered` says that the whole batch was submitted before the GPU began it.
    """

    seconds: float
    submitted: float
    covered: bool


def run_batch(cuda: Any, steps: Sequence[Step], cycles: int, clock: Clock) -> TimedBatch:
    """Submit the steps behind a blocker of so many cycles, and wait for the GPU to finish them."""
    start, end = (cuda.Event(enable_timing=True) for _ in range(2))
    cuda.synchronize()
    sleep(cuda, cycles)
    start.record()
    began = clock()
    for step in steps:
        step()
    submitted = clock() - began
    end.record()
    covered = not start.query()
    end.synchronize()
    seconds = max(start.elapsed_time(end) * 1e-3, LEAST_TICK)
    return TimedBatch(seconds, submitted * 1e-9, covered)


def sleep(cuda: Any, cycles: int) -> None:
    """Keep the GPU busy for so many cycles of its clock."""
    cuda._sleep(cycles)  # noqa: SLF001 - what PyTorch's own tests and profilers wait with


def sleep_rate(cuda: Any, clock: Clock) -> float:
    """Return the cycles of a sleep in a second: the slope between two lengths."""
    short, long = (sleep_seconds(cuda, cycles, clock) for cycles in SLEEPS)
    cycles = SLEEPS[1] - SLEEPS[0]
    return cycles / max(long - short, cycles / FASTEST)


def sleep_seconds(cuda: Any, cycles: int, clock: Clock) -> float:
    """Return the seconds of a sleep on the GPU, between events."""
    steps = [partial(sleep, cuda, cycles)]
    return median(run_batch(cuda, steps, SLEEPS[0], clock).seconds for _ in range(RATE_SAMPLES))


@dataclass
class Lead:
    """How much earlier than the GPU the host must begin with a batch, learned batch by batch.

    `per_call` is the seconds of submitting a call; `late` counts the batches that the GPU began
    before they were submitted.
    """

    per_call: float
    batches: int = 0
    late: int = 0

    def seconds(self, calls: int) -> float:
        """Return how long the blocker of so many calls should last."""
        return min(LEAST_BLOCK + MARGIN * self.per_call * calls, LONGEST_BLOCK)

    def learn(self, batch: TimedBatch, calls: int) -> None:
        """Count the batch; after one that began too early the next blocker lasts longer."""
        self.batches += 1
        if not batch.covered:
            self.late += 1
            self.per_call = max(self.per_call * MARGIN, batch.submitted / calls)

    @property
    def late_share(self) -> float:
        """Return the share of batches in which the GPU may have waited for the host."""
        return self.late / self.batches if self.batches else 0.0
