"""What it costs that the system gives a page of memory when it is first written to."""

from __future__ import annotations

import mmap
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.timing.noise import usage

if TYPE_CHECKING:
    from collections.abc import Callable

MAPPED, REPEATED = 32 * 2**20, 3
"""Bytes that are mapped and written to in place of the outputs of calls, and how often."""


def count_faults(act: Callable[[], object]) -> int | None:
    """Return the page faults of this process during an action, None where nobody counts them."""
    before = usage()[1]
    act()
    after = usage()[1]
    return None if before is None or after is None else after - before


def seconds_per_fault() -> float | None:
    """Return the seconds of a page fault, None where the system counts none.

    The least of a few, for neighbors only add to it.
    """
    costs = [cost for _ in range(REPEATED) if (cost := fault_once()) is not None]
    return min(costs, default=None)


def fault_once() -> float | None:
    """Return the seconds of a page fault by writing to pages twice: the first time they fault."""
    with mmap.mmap(-1, MAPPED) as pages:
        memory = np.frombuffer(pages, np.uint8)[:: mmap.PAGESIZE]
        began = time.perf_counter()
        faults = count_faults(partial(memory.fill, 1))
        first = time.perf_counter() - began
        began = time.perf_counter()
        memory.fill(2)
        second = time.perf_counter() - began
        del memory  # else the mapping cannot be closed
    return max(first - second, 0.0) / faults if faults else None
