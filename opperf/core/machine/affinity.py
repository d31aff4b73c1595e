"""Which processors a measuring process runs on: as many as it needs, each a core of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.core.environment.files import ROOT, read_list

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SIBLINGS = "sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def usable_processors() -> int:
    """Return how many processors this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def usable_cores(root: Path = ROOT) -> int:
    """Return how many cores this process may run on, however many processors each of them has."""
    try:
        allowed = os.sched_getaffinity(0)
    except (AttributeError, OSError):
        return usable_processors()
    return len(one_each(allowed, root))


def own_processors() -> list[int]:
    """Return the processors that this thread may run on, none where that cannot be told."""
    try:
        return sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return []


def pin(count: int, root: Path = ROOT) -> None:
    """Keep this process to so many cores; where there are fewer it stays where it may be.

    Threads that the scheduler moves find cold caches, and two on one core share its units.
    """
    try:
        chosen = distinct_cores(os.sched_getaffinity(0), count, root)
        if chosen:
            os.sched_setaffinity(0, chosen)
    except (AttributeError, OSError):
        return


def distinct_cores(processors: Iterable[int], count: int, root: Path) -> list[int]:
    """Return a processor on each of so many cores, none if there are fewer cores.

    The last ones are taken: interrupts mostly go to the first.
    """
    chosen = one_each(processors, root)[:count]
    return chosen if len(chosen) == count else []


def one_each(processors: Iterable[int], root: Path) -> list[int]:
    """Return a processor of each core, the last core first."""
    chosen: list[int] = []
    taken: set[int] = set()
    for number in sorted(processors, reverse=True):
        if number not in taken:
            chosen.append(number)
            taken |= {number, *read_list(root / SIBLINGS.format(number))}
    return chosen
