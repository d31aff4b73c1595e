"""What can go wrong in a framework's native code, each as a callable of one tensor."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

FOREVER = 10_000
"""Seconds: longer than any test waits."""
STEP = (4 * 2**20,)
"""Elements of what is allocated at once: 16 MiB of float32."""
SLEEP = (sys.executable, "-c", f"import time; time.sleep({FOREVER})")
BLOCK = 100_000
BLOCKS = 100
EXIT_STATUS = 9
STAINS: list[str] = []
"""What has failed in this process and left it running."""


def segfault(_: Any) -> None:
    """Read where no memory is."""
    ctypes.string_at(0)


def sleep(_: Any) -> None:
    """Never return, and have started a process that does not end either."""
    subprocess.run(SLEEP, check=True)


def orphan(_: Any) -> None:
    """Die, and leave a process that holds every file that this one could pass on."""
    subprocess.Popen(SLEEP, close_fds=False)
    os.kill(os.getpid(), signal.SIGKILL)


def hoard(ones: Callable[..., Any], _: Any) -> Callable[[], NoReturn]:
    """Return a step that allocates a framework's own tensors without end."""
    return partial(allocate, ones)


def allocate(ones: Callable[..., Any]) -> NoReturn:
    """Keep all that is allocated; MXNet is waited for, or its queue would grow instead."""
    STAINS.append("allocate")
    kept = []
    while True:
        kept.append(ones(STEP))
        getattr(kept[-1], "wait_to_read", bool)()


def throw(_: Any) -> None:
    """Run out of memory in C++, where nobody catches it: the process is aborted."""
    ctypes.CDLL("libstdc++.so.6")._Znwm(ctypes.c_size_t(2**62))


def lie(data: Any) -> Any:
    """Return values of the right shape that are wrong."""
    STAINS.append("lie")
    return data * 1.01


def refuse(_: Any) -> NoReturn:
    """Raise, with what a terminal would obey and in several lines."""
    STAINS.append("refuse")
    raise RuntimeError("stack:\n  at line 1\nthe toy refuses \x1b[31mthis\x1b[0m")


def leave(_: Any) -> NoReturn:
    """End the process as a library does that calls exit()."""
    os._exit(EXIT_STATUS)


def stick(_: Any) -> None:
    """Never return, and never give Python's lock back: no thread and no signal handler runs."""
    ctypes.PyDLL(None).sleep(FOREVER)


def chat(_: Any) -> NoReturn:
    """Print 20 MB that a terminal would obey on both streams, and then abort."""
    for stream in (sys.stdout, sys.stderr):
        for number in range(BLOCKS):
            stream.write(f"\x1b]0;owned\x07\x1b[2J\x9b31m{number}\x00\r" + "x" * BLOCK)
        stream.write("\nthe last words\n")
        stream.flush()
    os.abort()


def demand(data: Any) -> Any:
    """Return the tensor, in a process where nothing has failed."""
    if STAINS:
        raise RuntimeError(f"after {STAINS} in the same process")
    return data


def dawdle(data: Any) -> Any:
    """Take a while; of several rows, write to the file that TOY_DAWDLING names until it is gone."""
    time.sleep(0.05)
    gate = Path(os.environ.get("TOY_DAWDLING", os.devnull))
    if len(data.values) > 1 and gate.is_file():
        gate.write_text("here")
        while gate.exists():
            time.sleep(0.05)
    return data
