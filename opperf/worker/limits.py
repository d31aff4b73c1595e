"""What bounds a child: its memory, and its life by its parent's."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading


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


def die_with_parent(lifeline: int) -> None:
    """End this process's whole group once the other end of the lifeline closes.

    The kernel closes it however the parent ends, kill -9 included.
    """

    def watch() -> None:
        while os.read(lifeline, 1):
            pass
        os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


def end_if_stuck(seconds: float) -> None:
    """End this process should one row take this long: the parent would have ended it before.

    It serves where the parent is gone and native code never gives Python's lock back, so that the
    lifeline's thread cannot run; faulthandler's own thread needs no lock.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
