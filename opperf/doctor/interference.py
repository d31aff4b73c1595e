"""A fixed loop of integers, run for some seconds: when it is slow, something else ran instead."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.finding import Finding
from opperf.core.timing.noise import PROBE_SLOW, SystemCounters, probe_time
from opperf.core.units import format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.frameworks.device import Clock

FEW, MANY = 0.01, 0.05
"""Shares of the time lost from which it is worth knowing, and a trouble."""
SHORTEST = 20
"""The usual time of the probe is the median of the shortest ones, so many."""
STOLEN, BUSY = 0.005, 0.3
"""The share of the time that the host may take, and the processors that others may use."""
BUSY_FIELDS = (0, 1, 2, 5, 6)
"""user, nice, system, irq and softirq of the first line of /proc/stat."""


@dataclass(frozen=True, kw_only=True)
class Disturbance:
    """What disturbed the loop; shares lie between 0 and 1, what is not counted here is None.

    `lost_share` is the share of the time by which disturbed loops were late, `longest` the seconds
    that the latest of them was; `others` how many processors other programs used.
    """

    seconds: float
    lost_share: float
    longest: float
    switches: int | None
    steal: float | None
    others: float | None


def watch(
    seconds: float, clock: Clock = time.perf_counter_ns, root: Path = Path("/proc")
) -> Disturbance:
    """Run the loop for so many seconds."""
    busy, start = busy_seconds(root), SystemCounters.now(root)
    deadline = clock() + int(seconds * 1e9)
    probe_times = [probe_time(clock)]
    while clock() < deadline:
        probe_times.append(probe_time(clock))
    end = SystemCounters.now(root)
    noise = end.since(start, None)
    lost, longest = lateness(probe_times)
    return Disturbance(
        seconds=sum(probe_times) * 1e-9,
        lost_share=lost,
        longest=longest,
        switches=noise.context_switches,
        steal=noise.steal,
        others=others(busy, busy_seconds(root), end.wall - start.wall, end.cpu - start.cpu),
    )


def lateness(probe_times: Sequence[int]) -> tuple[float, float]:
    """Return the share of the time by which disturbed loops were late, and the most, in seconds."""
    usual = median(sorted(probe_times)[:SHORTEST])
    late = [length - usual for length in probe_times if length > PROBE_SLOW * usual]
    return sum(late) / sum(probe_times), max(late, default=0.0) * 1e-9


def busy_seconds(root: Path) -> float | None:
    """Return the seconds that all processors together have worked, None where nobody counts."""
    try:
        _, *ticks = (root / "stat").read_text().partition("\n")[0].split()
        return sum(int(ticks[at]) for at in BUSY_FIELDS) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def others(start: float | None, end: float | None, wall: int, own: int) -> float | None:
    """Return how many processors others used; `wall` and `own` are this process's nanoseconds."""
    if start is None or end is None or wall <= 0:
        return None
    return max((end - start) * 1e9 - own, 0.0) / wall


def watch_findings(disturbance: Disturbance) -> Iterator[Finding]:
    """Yield the findings about preemption, steal and other programs."""
    lost = disturbance.lost_share
    level = "ok" if lost < FEW else "note" if lost < MANY else "warning"
    yield Finding(
        check="preemption",
        level=level,
        figure=f"{lost:.1%} of {disturbance.seconds:.1f} s lost to others, "
        f"at most {format_seconds(disturbance.longest, 0.05)} at once",
        value=lost,
        unit="1",
        advice=""
        if level == "ok"
        else "Something else takes the processor, or a neighbor's program "
        "the other half of its core. End other programs, or measure at another time.",
    )
    if disturbance.steal is not None:
        stolen = disturbance.steal > STOLEN
        yield Finding(
            check="steal",
            level="warning" if stolen else "ok",
            figure=f"{disturbance.steal:.1%} of the time taken by the host",
            value=disturbance.steal,
            unit="1",
            advice="Other virtual machines share the processor. Measure at another time, repeat in "
            "fresh processes, or take a dedicated machine." if stolen else "",
        )  # fmt: skip
    if disturbance.others is not None:
        busy = disturbance.others > BUSY
        yield Finding(
            check="neighbors",
            level="warning" if busy else "ok",
            figure=f"other programs used {disturbance.others:.2f} processors",
            value=disturbance.others,
            unit="processors",
            advice="Find them with top, and end them or wait." if busy else "",
        )
