"""What an operator may change of its process, each change made in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = """
import ctypes, locale, os, resource, signal, subprocess, sys
from opperf.measuring.worker.state import changes, state_of

before = state_of({{"threads": 1}})
assert changes(before, state_of({{"threads": 1}})) == []
{change}
print(*changes(before, state_of({{"threads": {threads}}})), sep=", ")
"""
CHANGES = {
    "umask": "os.umask(0o777)",
    "working directory": "os.chdir('/')",
    "priority": "os.nice(1)",
    "signals": "signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
    "alarm": "signal.setitimer(signal.ITIMER_REAL, 1000)",
    "limits": "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))",
    "recursion": "sys.setrecursionlimit(500)",
    "tracing": "sys.settrace(lambda *_: None)",
    "rounding": "assert ctypes.CDLL('libm.so.6').fesetround(0x800) == 0",
    "processes": "held = subprocess.Popen(['sleep', '1000'])",
    "numpy errors": "import numpy; numpy.seterr(all='raise')",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_the_next_operator_would_feel_is_seen(name: str) -> None:
    """By its name; what is not changed is not named."""
    code = PROGRAM.format(change=CHANGES[name], threads=1)
    if name == "processes":
        code += "held.kill()"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == name, run.stderr


def test_another_number_of_threads_is_seen() -> None:
    """As the framework tells it."""
    code = PROGRAM.format(change="", threads=2)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "threads"
