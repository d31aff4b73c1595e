"""A neighbor on the measuring core: it computes in some windows of time, by a coin, and says when.

Run by itself as ``python -m experiments.neighbor CORE SEED``, until its input closes.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW, SHARE = 50_000_000, 0.3
"""Nanoseconds of a window, and the share of windows in which it computes."""


def busy(number: int, seed: int) -> bool:
    """Return whether it computes in this window of the monotonic clock."""
    return Random(f"{seed} {number}").random() < SHARE  # noqa: S311 - no secret


def compute(core: int, seed: int) -> None:
    """Compute in the windows of the schedule until the input closes."""
    os.sched_setaffinity(0, {core})
    while not select.select([sys.stdin], [], [], 0)[0]:
        number, into = divmod(time.perf_counter_ns(), WINDOW)
        if not busy(number, seed):
            time.sleep((WINDOW - into) * 1e-9)
            continue
        while time.perf_counter_ns() // WINDOW == number:
            sum(range(1000))


@contextmanager
def noisy_neighbor(seed: int = 1) -> Iterator[None]:
    """Have the neighbor beside what is measured meanwhile."""
    core = max(os.sched_getaffinity(0))
    here = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments.neighbor", str(core), str(seed)],
        stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": here},
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    compute(int(sys.argv[1]), int(sys.argv[2]))
