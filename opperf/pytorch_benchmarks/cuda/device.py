"""The GPU as a device of the timing core, and a work that is timed on it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import Work
from opperf.pytorch_benchmarks.cuda.blocker import Lead, TimedBatch, run_batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.statistics.warning import MeasurementWarning

INTERVAL = 1e-3
"""Least seconds of a sample; an event's own resolution is about half a microsecond."""
MOST_CALLS = 512
"""Calls behind one blocker: a queue of launches holds about a thousand, and a full one stops the
host until the blocker is gone."""
EVENTS = 5e-6
"""Upper bound in seconds on what two events add to a batch."""
AWAITED = 30e-6
"""Upper bound in seconds on waking the GPU and waiting for it, once a batch timed by the host."""


@dataclass(frozen=True, kw_only=True)
class EventDevice(Device):
    """A GPU timed by its own clock: events round batches that wait behind a blocker.

    `cuda` is the module torch.cuda, `rate` the cycles of its sleep in a second, `room` the most
    calls behind one blocker.
    """

    cuda: Any
    rate: float
    lead: Lead
    room: int = MOST_CALLS
    interval: float = INTERVAL
    constant: float = EVENTS

    def time(self, steps: Iterable[Step]) -> float:
        """Return the GPU's seconds of all steps; more than fit behind one blocker take several."""
        left = iter(steps)
        seconds = 0.0
        while calls := tuple(islice(left, self.room)):
            seconds += self.batch(calls).seconds
        return seconds

    def batch(self, calls: Sequence[Step]) -> TimedBatch:
        """Run the calls behind one blocker, and learn how long it should last."""
        cycles = int(self.lead.seconds(len(calls)) * self.rate)
        batch = run_batch(self.cuda, calls, cycles, self.clock)
        self.lead.learn(batch, len(calls))
        return batch


@dataclass(frozen=True, kw_only=True)
class DeviceWork(Work):
    """A work on the GPU, made ready for its clock.

    `eager` is the work as it was, timed by the host; `graph` says that captured graphs stand for
    the calls; `by_host` why it is timed by the host's clock, None where the GPU's can do it.
    """

    eager: Work
    graph: bool = False
    by_host: MeasurementWarning | None = None

    @classmethod
    def of(cls, work: Work, device: Device, **changes: Any) -> DeviceWork:
        """Return the work on this device; what is not `changes` is as in the eager work."""
        kept = {field.name: getattr(work, field.name) for field in fields(Work)}
        return cls(**{**kept, **changes, "device": device, "eager": work})

    def loop_overhead(self, iterations: int) -> float:
        """Return what the harness adds: nothing where the GPU's clock is read."""
        return super().loop_overhead(iterations) if self.by_host else 0.0


def some(work: Work, count: int) -> list[Step]:
    """Return so many calls of a work, of which it may have to prepare more."""
    return list(islice(work.steps(max(count, work.least)), count))
