"""What bounds a child, in processes that are bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from opperf.measuring.worker.limits import keep_to_itself, limit_memory

ROOT = Path(__file__).parents[3]
GUARDED = """
import ctypes, subprocess, sys
from opperf.measuring.worker.limits import die_with_parent

die_with_parent(int(sys.argv[1]))
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]).pid, flush=True)
ctypes.PyDLL(None).sleep(1000)  # with Python's lock held
"""
LIMITED = """
import resource, sys
from opperf.measuring.worker.limits import limit_memory

hard = int(sys.argv[1])
if hard:
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
limit_memory(int(sys.argv[2]) or None)
print(resource.getrlimit(resource.RLIMIT_DATA)[0])
try:
    bytearray(2**30)
except MemoryError:
    print("no memory")
"""


def test_a_process_dies_with_whoever_holds_its_lifeline(await_end: Any) -> None:
    """With all that it has started, even where none of its own threads can run any more."""
    lifeline, held = os.pipe()
    command = [sys.executable, "-c", GUARDED, str(lifeline)]
    with subprocess.Popen(
        command, cwd=ROOT, pass_fds=[lifeline], start_new_session=True, stdout=subprocess.PIPE
    ) as process:
        os.close(lifeline)
        grandchild = psutil.Process(int(process.stdout.readline()))
        assert process.poll() is None
        os.close(held)
        assert process.wait(timeout=120) == -9
    assert await_end([grandchild])


def test_pipes_are_kept_from_programs_that_are_started() -> None:
    """And from code that closes a wrong number: they are moved to high ones."""
    ends = os.pipe()
    for end in ends:
        os.set_inheritable(end, True)  # noqa: FBT003 - its own signature
    moved = keep_to_itself(ends)
    assert [os.get_inheritable(end) for end in moved] == [False, False]
    assert min(moved) > max(ends)
    os.write(moved[1], b"still a pipe")
    assert os.read(moved[0], 99) == b"still a pipe"
    for end in moved:
        os.close(end)
    for end in ends:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)


@pytest.mark.parametrize(
    ("hard", "asked", "expected"),
    [(0, 300_000_000, 300_000_000), (200_000_000, 300_000_000, 200_000_000)],
)
def test_memory_beyond_the_limit_is_an_error(hard: int, asked: int, expected: int) -> None:
    """A limit that the system sets already is not raised."""
    command = [sys.executable, "-c", LIMITED, str(hard), str(asked)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    assert run.stdout.split("\n")[:2] == [str(expected), "no memory"]


def test_without_a_limit_nothing_changes() -> None:
    """None is no limit."""
    limit_memory(None)
    command = [sys.executable, "-c", LIMITED, "0", "0"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    assert "no memory" not in run.stdout
