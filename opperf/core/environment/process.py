"""The measuring process: where it may run, its clock, and the variables that tune it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from opperf.core.environment.files import read_text
from opperf.core.environment.recorded import recorded_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

CLOCK_READS = 500


def process_facts(environ: Mapping[str, str], root: Path) -> dict[str, object]:
    """Return the facts of this process, and of the load it met."""
    return {
        "affinity": affinity(),
        "load_average": load_average(root),
        "clock": clock_facts(),
        "env_vars": recorded_variables(environ),
    }


def affinity() -> list[int] | None:
    """Return the processors that this process may run on."""
    try:
        return sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return None


def load_average(root: Path) -> list[float] | None:
    """Return the load over the last 1, 5 and 15 minutes."""
    try:
        one, five, fifteen, *_ = (read_text(root / "proc/loadavg") or "").split()
        return [float(one), float(five), float(fifteen)]
    except ValueError:
        return None


def clock_facts() -> dict[str, object]:
    """Return the resolution of the measuring clock and the cost of reading it, in seconds."""
    return {
        "resolution": time.get_clock_info("perf_counter").resolution,
        "read_cost": min(read_cost(time.perf_counter_ns) for _ in range(3)),
    }


def read_cost(clock: Callable[[], int]) -> float:
    """Return the seconds that one reading of a nanosecond clock takes, loop included."""
    start = clock()
    for _ in range(CLOCK_READS):
        end = clock()
    return (end - start) / CLOCK_READS / 1e9
