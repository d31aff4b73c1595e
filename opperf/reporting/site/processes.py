"""Work spread over processes: the pages of a site have nothing to do with each other."""

from __future__ import annotations

import gc
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, TypeVar

from opperf.core.machine.affinity import usable_processors
from opperf.networks.data.worker import settle
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Job = TypeVar("Job")
Done = TypeVar("Done")
MOST = 16
"""Processes: beyond these the disk is what is waited for."""
FEWEST = 4
"""Jobs that are worth the start of processes."""
RARELY = 200_000
"""Objects between two looks for cycles: pages have none, and Python's 700 cost a tenth of all."""


def in_processes(function: Callable[[Job], Done], jobs: Sequence[Job]) -> Iterator[Done]:
    """Yield what a function returns of each job, in their order, by all processors.

    Raises:
        StorageError: a process was killed, for its memory for instance.
    """
    workers = min(usable_processors(), MOST, len(jobs))
    if workers < 2 or len(jobs) < FEWEST:  # noqa: PLR2004 - one process is this one
        yield from map(function, jobs)
        return
    pool = ProcessPoolExecutor(workers, initializer=begin, initargs=(os.getpid(),))
    try:
        yield from pool.map(function, jobs)
    except BrokenProcessPool as error:
        raise StorageError(
            "a process that wrote pages was killed, perhaps for its memory; free some, or let "
            "fewer processors be used (taskset)"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def begin(parent: int) -> None:
    """Set up a process that writes pages; it ends with its parent."""
    settle(parent)
    gc.set_threshold(RARELY)
