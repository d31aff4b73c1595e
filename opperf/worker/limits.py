"""What bounds a child: its memory, and its life by its parent's."""

from __future__ import annotations

import faulthandler
import os
import signal

GUARD = "read _; kill -KILL 0"
"""Wait for the end of standard input, then kill all of this process group."""


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


def keep_to_itself(descriptors: tuple[int, ...]) -> None:
    """Hide pipes from the programs that this process starts.

    One that outlives it would hold them open, and the parent would not see this process end.
    """
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - its own signature


def die_with_parent(lifeline: int) -> None:
    """End this process's whole group once the other end of the lifeline closes.

    The kernel closes it however the parent ends, kill -9 included. A shell waits for that, since no
    thread of this process runs while native code holds Python's lock.
    """
    shell = "/bin/sh"
    wait = [(os.POSIX_SPAWN_DUP2, lifeline, 0)]
    os.posix_spawn(shell, [shell, "-c", GUARD], {}, file_actions=wait)


def let_crashes_show() -> None:
    """Let a crash end this process by its signal, after Python's traceback.

    MXNet takes the signals while it loads, and exits with status 255 instead.
    """
    for name in FATAL:
        if number := getattr(signal, name, None):  # Windows lacks some
            signal.signal(number, signal.SIG_DFL)
    faulthandler.enable()
