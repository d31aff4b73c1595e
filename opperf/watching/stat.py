"""What the kernel says of a process in one line, /proc/PID/stat: see proc_pid_stat(5).

One file gives all that is sampled. psutil reads three for it (stat, statm, status), which takes
2 ms for a tree of 20 processes; ten times a second that is two hundredths of a core.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

from opperf.watching import keeper

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
TIMES = slice(11, 15)
"""User and system time of its own, then of its children that have been waited for, in ticks."""
THREADS, VMS, RSS = 17, 20, 21
"""Fields behind the program's name, which may hold anything; the first of them is the state."""


class ProcessStat(NamedTuple):
    """Bytes, bytes, processor seconds (its ended children's included), and threads."""

    rss: int
    vms: int
    cpu_seconds: float
    threads: int


def read_stat(pid: int) -> ProcessStat:
    """Return what the kernel says of a process.

    Raises:
        OSError: there is none of this number.
    """
    file = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        fields = os.read(file, 4096).rpartition(b")")[2].split()
    finally:
        os.close(file)
    return ProcessStat(
        rss=int(fields[RSS]) * PAGE,
        vms=int(fields[VMS]),
        cpu_seconds=sum(map(int, fields[TIMES])) / TICKS,
        threads=int(fields[THREADS]),
    )


def read_tree(root: int) -> dict[int, ProcessStat]:
    """Return what the kernel says of each process that hangs below one."""
    found: dict[int, ProcessStat] = {}
    listed = keeper.LISTED.exists()
    children_of = keeper.listed_children if listed else keeper.all_children().get
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        alone = listed and parent in found and found[parent].threads == 1
        children: list[int] = []
        with suppress(OSError):  # it has ended
            children = (
                keeper.children_of_thread(parent, parent) if alone else children_of(parent) or []
            )
        for child in children:
            with suppress(OSError):
                found[child] = read_stat(child)
                waiting.append(child)
    return found
