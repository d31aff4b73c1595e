"""Forks of a measuring process, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FORKING = """
import os, sys
from opperf.measuring.children.timing import Answer
from opperf.core.frameworks.device import Device
from opperf.measuring.worker.forks import end_forks_that_return

replies = os.dup(1)
end_forks_that_return([replies])
answer = Answer(replies)
answer.token = "0123"
{step}
Device().time([step])
answer("opened")
try:
    os.wait()
except ChildProcessError:
    pass
"""
STEPS = {
    "python": "def step(): os.fork()",
    "builtin": "step = os.fork",
    "native": "import ctypes; step = ctypes.PyDLL(None).fork",
    "exits": "def step():\n    if os.fork() == 0:\n        sys.exit(0)",
    "raises": "def step():\n    if os.fork() == 0:\n        raise ValueError",
}


@pytest.mark.parametrize("kind", STEPS)
def test_of_two_that_return_from_a_fork_one_goes_on(kind: str) -> None:
    """The other one neither measures nor speaks."""
    program = FORKING.format(step=STEPS[kind])
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == '0123 {"event": "opened"}\n'


def test_a_fork_that_works_may_work() -> None:
    """Such as a pool of processes: only what comes back is ended."""
    program = FORKING.format(
        step="""
from multiprocessing import get_context

def double(value):
    return 2 * value

def step():
    with get_context("fork").Pool(2) as pool:
        assert pool.map(double, [1, 2, 3]) == [2, 4, 6]
"""
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == '0123 {"event": "opened"}\n'
