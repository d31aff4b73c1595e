"""Turns between a fleet's worker and local runs: they measure together, or it measures alone.

Local runs share a lock, which the worker of a fleet wants for itself; a machine without one pays
nothing for it. The lock belongs to no user, because a fleet's worker often has one of its own.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

OF_FLEET = "OPPERF_FLEET_JOB"
"""The variable of what a worker starts, which has the worker's turn."""
READ_BY_ALL = 0o644


def turns_path() -> Path:
    """Return the file that stands for this machine."""
    return Path(tempfile.gettempdir()) / "opperf-fleet.lock"


def open_turns() -> int | None:
    """Return a descriptor of the file, None where there can be none.

    Whoever comes first makes it; to lock it, it need not be written. A link is not followed.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    with suppress(OSError):
        return os.open(turns_path(), flags)
    with suppress(OSError):
        descriptor = os.open(turns_path(), flags | os.O_CREAT | os.O_EXCL, READ_BY_ALL)
        os.fchmod(descriptor, READ_BY_ALL)  # a service's umask would shut others out
        return descriptor
    return None


def try_alone(descriptor: int) -> bool:
    """Take the whole machine, if nobody measures on it; closing the descriptor gives it back."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def local_turn(
    tell: Callable[[str], None], environ: Mapping[str, str] = os.environ
) -> Iterator[None]:
    """Measure beside other local runs, after what a fleet's worker is measuring now."""
    descriptor = None if OF_FLEET in environ else open_turns()
    if descriptor is None:
        yield
        return
    try:
        wait_shared(descriptor, tell)
        yield
    finally:
        os.close(descriptor)


def wait_shared(descriptor: int, tell: Callable[[str], None]) -> None:
    """Share the machine with local runs, and say it where a fleet's job is waited for."""
    try:
        from fcntl import LOCK_NB, LOCK_SH, flock
    except ImportError:  # Windows, where no fleet's worker runs
        return
    try:
        flock(descriptor, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        tell("waiting for the fleet's job that is measured on this machine")
        flock(descriptor, LOCK_SH)
