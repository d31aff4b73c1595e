"""The processes that a child has started: what they take of the memory, and their end.

While the child lives, all that come from it hang below it, for it adopts those whose parents are
gone. Whatever it started also inherits a variable that no other process has (`MARK`): by it those
are found that outlive the child, in a session of their own or not.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

MARK = "CHILD_OF_OPPERF"
PROC = Path("/proc")
ROUNDS = 20
"""How often processes are looked for that start further ones while they are ended."""


def below(pid: int) -> list[int]:
    """Return a process and all that come from it, as far as the system tells."""
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        found.append(parent)
        for tasks in (PROC / str(parent) / "task").glob("*/children"):
            with suppress(OSError):
                waiting += map(int, tasks.read_text().split())
    return found


def memory_of(pid: int, limit: int) -> int:
    """Return the bytes that a process and all that come from it hold, shared mappings included.

    Files that are only mapped do not count: the system takes their pages back. What processes share
    is counted once where the sum would be beyond the limit; to find that out takes milliseconds.
    """
    pids = below(pid)
    held = sum(map(resident, pids))
    return held if held <= limit or len(pids) == 1 else sum(map(proportional, pids))


def resident(pid: int) -> int:
    """Return the bytes of a process's memory that is no file's."""
    return kilobytes(PROC / str(pid) / "status", ("RssAnon:", "RssShmem:"))


def proportional(pid: int) -> int:
    """Return these bytes, of those that are shared a part."""
    return kilobytes(PROC / str(pid) / "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:"))


def kilobytes(path: Path, names: tuple[str, ...]) -> int:
    """Return the sum of some lines of a file of the kernel's, in bytes; 0 of one that is gone."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(names))


def find_marked(mark: str) -> list[int]:
    """Return the processes that have inherited a mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for place in PROC.glob("[0-9]*"):
        with suppress(OSError):  # gone, or somebody else's
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


def end_marked(mark: str) -> None:
    """Kill all processes that have inherited a mark, and those that they start meanwhile."""
    for _ in range(ROUNDS):
        left = find_marked(mark)
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return
