"""What a child starts: found, weighed and ended."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import time
from secrets import token_hex
from typing import Any

import psutil
import pytest

from opperf.measuring.worker.processes import MARK, below, end_marked, find_marked, memory_of

SLEEP = "import time; time.sleep(10000)"
SESSION = f"import os; os.setsid(); os.fork() and os._exit(0); {SLEEP}"
STARTING = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {SESSION!r}]).wait()
subprocess.Popen([sys.executable, "-c", {SLEEP!r}], start_new_session=True)
print("started", flush=True)
time.sleep(10000)
"""
SHARING = """
import mmap, sys, time
held = mmap.mmap(-1, 2**26)
held.write(b"x" * 2**26)
print("held", flush=True)
time.sleep(10000)
"""


def start(code: str, mark: str) -> subprocess.Popen[str]:
    """Start a process with a mark, and return when it has printed something."""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env={MARK: mark}
    )
    assert process.stdout
    with process.stdout:
        process.stdout.readline()
    return process


def test_what_left_for_a_session_of_its_own_is_ended_too(await_end: Any) -> None:
    """A daemon is no child of anybody here, and in no group of theirs; it inherits the mark."""
    mark, other = token_hex(8), token_hex(8)
    process, spared = start(STARTING, mark), start("print('x', flush=True); " + SLEEP, other)
    found = [psutil.Process(pid) for pid in find_marked(mark)]
    assert len(found) == 3
    end_marked(mark)
    process.wait(120)
    assert await_end(found)
    assert find_marked(mark) == []
    assert spared.poll() is None
    end_marked(other)
    spared.wait(120)


def test_shared_memory_counts() -> None:
    """No limit of the system bounds it, so that it has to be looked at."""
    process = start(SHARING, token_hex(8))
    held = memory_of(process.pid, 2**40)
    process.kill()
    process.wait()
    assert 2**26 <= held < 2**28


def test_what_a_fork_shares_counts_once() -> None:
    """The memory pass forks itself; its pages are there once."""
    code = SHARING.replace("print(", "import os; os.fork() and time.sleep(0.01); print(")
    mark = token_hex(8)
    process = start(code, mark)
    deadline = time.monotonic() + 120
    while len(below(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    held = memory_of(process.pid, 2**26)
    end_marked(mark)
    process.wait()
    assert 2**26 <= held < 2**27


def test_a_process_that_is_gone_holds_nothing() -> None:
    """It may end while it is looked at."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert memory_of(process.pid, 0) == 0
    assert below(os.getpid())[0] == os.getpid()
    assert memory_of(os.getpid(), 2**40) >= mmap.PAGESIZE


@pytest.mark.parametrize("mark", ["", "nobody-has-this-one"])
def test_nobody_has_another_mark(mark: str) -> None:
    """A mark is compared whole."""
    if mark:
        assert find_marked(mark) == []
