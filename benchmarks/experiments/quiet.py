"""Whether others use the machine: fixed work on this core and in the memory, again and again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.timing.noise import PROBE_SLOW, probe_time

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTEN, LOOPS = 2.0, 100
"""Seconds of one listening, and loops of integers for each copy."""
QUIET = 0.1
"""The share of slow turns up to which a machine is quiet."""
CELLS = 8 << 20
"""Elements of a copy of 32 MiB, which no core's own cache holds."""
SHORTEST = 20
"""The usual time of the probe is the median of the shortest ones, so many."""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What loops of integers and copies took in one listening, in nanoseconds."""

    loops: Sequence[int]
    copies: Sequence[int]


def listen(seconds: float = LISTEN) -> Heard:
    """Do both in turns for so many seconds."""
    loops, copies = [], []
    source = np.ones(CELLS, np.float32)
    target = np.zeros_like(source)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter_ns()
        np.copyto(target, source)
        copies.append(time.perf_counter_ns() - start)
        loops += [probe_time(time.perf_counter_ns) for _ in range(LOOPS)]
    return Heard(loops=loops, copies=copies)


def slow(heard: Heard, among: Sequence[Heard]) -> float:
    """Return the share of slow turns, of loops or of copies, whichever is larger.

    Slow is what takes 1.2 times the usual of all listenings or longer, so that a neighbor who stays
    for one of them is told by another.
    """
    return max(
        share(heard.loops, [each.loops for each in among]),
        share(heard.copies, [each.copies for each in among]),
    )


def share(turns: Sequence[int], among: Sequence[Sequence[int]]) -> float:
    """Return the share of these turns that took longer than usual among all."""
    usual = median(sorted(chain(*among))[:SHORTEST])
    return sum(turn > PROBE_SLOW * usual for turn in turns) / len(turns)


def wait_until_quiet(seconds: float) -> list[Heard]:
    """Listen until the machine is quiet, or for so many seconds; return all that was heard."""
    end = time.monotonic() + seconds
    heard = [listen()]
    while slow(heard[-1], heard) > QUIET and time.monotonic() < end:
        heard.append(listen())
    return heard
