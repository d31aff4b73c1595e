"""What disturbed the samples: probes between them, and what the system counts meanwhile.

Standard library only, and a few tens of microseconds a reading. What this machine does not count is
None, never zero.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.machine.affinity import own_processors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.device import Clock, Device

PROBE_LOOPS, REHEARSAL = 1_000, 100
"""Turns of the probe's loop of integers, some 50 us, and of those before it that are not timed."""
PROBE_SLOW = 1.2
"""A probe this many times the usual one marks the samples on both of its sides. A neighbor on the
same core's other thread makes it 1.3 to 2.1 times as slow; the clock's own wandering does not."""
QUIET_PART = 4
"""The usual time of the probe is the median of the shortest one in so many."""
MOST_PROBED = 4
"""Processors on which there is a probe: each takes 0.1 ms, with the way there."""
PROBE_EVERY = 1e-3
"""Seconds of samples between two probes at least, so that they cost 5 % at most."""


def probe_time(clock: Clock) -> int:
    """Return the nanoseconds of a loop that always does the same work, in registers.

    Some turns come before it: what was measured has taken its code out of the caches.
    """
    total = 0
    for number in range(REHEARSAL):
        total += number
    start = clock()
    for number in range(PROBE_LOOPS):
        total += number
    return clock() - start


@dataclass
class InterferenceProbe:
    """Fixed work between the samples: when it is slow, something else had the processor.

    It never looks at the operator's own times, so that what it marks cannot flatter them. Slow is
    what is slower than beside other samples of the same operator: one of wide vectors has the
    processor lower its clock, and the probe with it, by a third.
    """

    clock: Clock
    times: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    last: int = 0

    def run(self, samples: int) -> None:
        """Run the probe, unless it was run just now; `samples` is how many there are by now."""
        if self.is_due():
            self.run_now(samples)

    def is_due(self) -> bool:
        """Return whether the probe was last run some time ago."""
        return not self.times or self.clock() - self.last >= PROBE_EVERY * 1e9

    def run_now(self, samples: int) -> None:
        """Run the probe."""
        self.times.append(probe_time(self.clock))
        self.before.append(samples)
        self.last = self.clock()

    def usual(self) -> float:
        """Return the usual length in nanoseconds."""
        return median(sorted(self.times)[: ceil(len(self.times) / QUIET_PART)])

    def marked_samples(self, samples: int) -> list[int]:
        """Return which of so many samples lie beside a slow probe, in ascending order."""
        if not self.times:
            return []
        slow = PROBE_SLOW * self.usual()
        ends = [*self.before[1:], samples]
        return [
            sample
            for at, (start, end) in enumerate(zip(self.before, ends, strict=True))
            if any(length > slow for length in self.times[at : at + 2])
            for sample in range(start, end)
        ]


@dataclass(frozen=True)
class InterferenceProbes:
    """A probe on each processor that a call works on, where it works on others than the caller's.

    The caller goes from one to the next to listen, and may be anywhere afterwards as before: one
    that always listened where it is would hear of its own neighbors only, and nothing of those of
    an engine's thread, which does the work.
    """

    probes: Mapping[int, InterferenceProbe]

    def run(self, samples: int) -> None:
        """Run the probe on each processor, unless that was done just now."""
        if not next(iter(self.probes.values())).is_due():
            return
        allowed = os.sched_getaffinity(0)
        try:
            for processor, probe in self.probes.items():
                os.sched_setaffinity(0, {processor})
                probe.run_now(samples)
        finally:
            os.sched_setaffinity(0, allowed)

    def marked_samples(self, samples: int) -> list[int]:
        """Return which of so many samples lie beside a slow probe on any of the processors."""
        found = (probe.marked_samples(samples) for probe in self.probes.values())
        return sorted({sample for marked in found for sample in marked})


def interference_probe(device: Device) -> InterferenceProbe | InterferenceProbes:
    """Return what tells disturbed samples of a device's work."""
    processors = own_processors() if device.beside else []
    if not 1 < len(processors) <= MOST_PROBED:
        return InterferenceProbe(device.clock)
    return InterferenceProbes(
        {processor: InterferenceProbe(device.clock) for processor in processors}
    )


@dataclass(frozen=True, kw_only=True)
class Noise:
    """What happened while the samples were taken; shares lie between 0 and 1.

    `cpu_share` is the processor time of all threads over the time on the wall; context switches are
    the involuntary ones, page faults the minor and the major; `steal` is what the host took of the
    processors' time, `pressure` the time during which some task waited for a processor.
    """

    marked: float | None
    cpu_share: float | None
    context_switches: int | None
    page_faults: int | None
    steal: float | None
    pressure: float | None


@dataclass(frozen=True)
class SystemCounters:
    """The system's counters at one moment."""

    wall: int
    cpu: int
    context_switches: int | None
    page_faults: int | None
    steal: float | None
    pressure: float | None

    @classmethod
    def now(cls, root: Path = Path("/proc")) -> SystemCounters:
        """Read them."""
        switches, faults = usage()
        return cls(
            wall=time.perf_counter_ns(),
            cpu=time.process_time_ns(),
            context_switches=switches,
            page_faults=faults,
            steal=stolen_seconds(root),
            pressure=waited_seconds(root),
        )

    def since(self, start: SystemCounters, marked_share: float | None) -> Noise:
        """Return what happened between two readings."""
        wall = max(self.wall - start.wall, 1)

        def share(name: str) -> float | None:
            end: float | None = getattr(self, name)
            begin: float | None = getattr(start, name)
            if end is None or begin is None:
                return None
            return min(max((end - begin) * 1e9 / wall, 0.0), 1.0)

        return Noise(
            marked=marked_share,
            cpu_share=(self.cpu - start.cpu) / wall,
            context_switches=increase(self.context_switches, start.context_switches),
            page_faults=increase(self.page_faults, start.page_faults),
            steal=share("steal"),
            pressure=share("pressure"),
        )


def increase(end: int | None, start: int | None) -> int | None:
    """Return how many were counted meanwhile, or None where they are not counted."""
    return None if end is None or start is None else end - start


def usage() -> tuple[int | None, int | None]:
    """Return the involuntary context switches and the page faults of this process so far."""
    try:
        import resource  # Windows has none
    except ImportError:
        return None, None
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_nivcsw, used.ru_minflt + used.ru_majflt


def stolen_seconds(root: Path) -> float | None:
    """Return the seconds that the host took from a processor so far, on average over them."""
    try:
        first, *_ = (root / "stat").read_text().partition("\n")
        _, *ticks = first.split()
        return int(ticks[7]) / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)
    except (OSError, ValueError, IndexError):
        return None


def waited_seconds(root: Path) -> float | None:
    """Return the seconds so far during which some task of the system waited for a processor."""
    try:
        text = (root / "pressure/cpu").read_text()
        some = pressure_fields(text)
        return int(some["total"]) / 1e6
    except (OSError, ValueError, KeyError):
        return None


def pressure_fields(text: str) -> Mapping[str, str]:
    """Return the fields of the line that begins with `some`."""
    for line in text.splitlines():
        kind, *rest = line.split()
        if kind == "some":
            return dict(item.split("=", 1) for item in rest)
    return {}
