"""What bounds a child: its memory, and its life by its parent's."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from opperf.measuring.worker.processes import MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

GUARD = (
    'read _; for place in /proc/[0-9]*; do grep -qs "$1" "$place/environ" '
    '&& kill -KILL "${place#/proc/}"; done; kill -KILL 0'
)
"""Wait for the end of standard input, then kill what has inherited the mark, as processes have that
left for a session of their own, and all of this process group."""
SET_CHILD_SUBREAPER = 36
HIGH = 900
"""Where the pipes are moved to: code that closes or writes to a wrong number mostly means a low
one."""
FATAL = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


def limit_memory(nbytes: int | None) -> None:
    """Bound what this process may allocate, so that running out is an error and not a kill."""
    if nbytes is None:
        return
    try:
        import resource
    except ImportError:  # no such limits on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = nbytes if hard == resource.RLIM_INFINITY else min(nbytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))


def keep_to_itself(descriptors: Sequence[int]) -> list[int]:
    """Move pipes out of the way, hidden from the programs that this process starts.

    One that outlives it would hold them open, and the parent would not see this process end.
    """
    import resource
    from fcntl import F_DUPFD_CLOEXEC, fcntl

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    first = min(HIGH, soft - len(descriptors))
    moved = [fcntl(descriptor, F_DUPFD_CLOEXEC, first) for descriptor in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    return moved


def keep_below() -> None:
    """Adopt the processes whose parents end, so that all that come from this one hang below it."""
    with suppress(AttributeError, OSError):  # not Linux
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(lifeline: int) -> None:
    """End this process's whole group once the other end of the lifeline closes.

    The kernel closes it however the parent ends, kill -9 included. A shell waits for that, since no
    thread of this process runs while native code holds Python's lock.
    """
    shell = "/bin/sh"
    wait = [(os.POSIX_SPAWN_DUP2, lifeline, 0)]
    mark = f"{MARK}={os.environ.get(MARK, os.getpid())}"
    os.posix_spawn(shell, [shell, "-c", GUARD, shell, mark], {}, file_actions=wait)


def let_crashes_show() -> None:
    """Let a crash end this process by its signal, after Python's traceback.

    MXNet takes the signals while it loads, and exits with status 255 instead.
    """
    for name in FATAL:
        if number := getattr(signal, name, None):  # Windows lacks some
            signal.signal(number, signal.SIG_DFL)
    faulthandler.enable()
