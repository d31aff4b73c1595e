"""What an operator may change of its process, so that the next one would feel it."""

from __future__ import annotations

import locale
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.measuring.worker.processes import PROC, below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SIGNALS = ("SigBlk:", "SigIgn:")
LEVELS = sys.getrecursionlimit()
"""How deep Python may recurse at the least."""
ONE, TINY, HALF = 1.0, 5e-324, 2.0**-54
"""Numbers whose sums and products tell how the processor rounds, and what it does with the
smallest."""


def state_of(framework_facts: Mapping[str, Any]) -> dict[str, object]:
    """Return what can be told of this process in a tenth of a millisecond, by its names.

    What frameworks change themselves as they go is left out: handlers of signals, threads of
    Python, and a limit on recursion that TorchInductor raises.
    """
    return {
        "threads": framework_facts.get("threads"),
        "affinity": try_find(lambda: sorted(os.sched_getaffinity(0))),
        "priority": try_find(
            lambda: (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0))
        ),
        "limits": try_find(limits),
        "working directory": try_find(os.getcwd),
        "umask": try_find(umask),
        "signals": try_find(signals),
        "alarm": try_find(lambda: signal.getitimer(signal.ITIMER_REAL)[0] > 0),
        "locale": try_find(lambda: locale.setlocale(locale.LC_ALL)),
        "recursion": sys.getrecursionlimit() >= LEVELS,
        "tracing": (sys.gettrace() is not None, sys.getprofile() is not None),
        "numpy errors": np.geterr(),
        "rounding": (TINY * ONE, ONE + HALF, -ONE - HALF, ONE - HALF),
        "processes": len(below(os.getpid())),
    }


def try_find(find: Callable[[], object]) -> object:
    """Return a fact, or the error where the system does not tell it."""
    try:
        return find()
    except (AttributeError, OSError, ImportError, ValueError) as error:
        return str(error)


def limits() -> object:
    """Return what the system lets this process have."""
    import resource

    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    return [resource.getrlimit(getattr(resource, name)) for name in names]


def umask() -> int:
    """Return which permissions new files lack."""
    found = os.umask(0)
    os.umask(found)
    return found


def signals() -> object:
    """Return which signals are blocked and ignored; frameworks' compilers catch some."""
    lines = (PROC / "self" / "status").read_text(encoding="utf-8").splitlines()
    return [line.split()[1] for line in lines if line.startswith(SIGNALS)]


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """Return the names of what is not what it was."""
    return [name for name in before if before[name] != after[name]]
