"""Loader processes: none outlives the process that loads, and each works undisturbed."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.networks.data.models import FRAMEWORKS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
SCRIPT = """
import os, sys, threading, time
import numpy as np
from opperf.measuring.worker.forks import end_forks_that_return
from opperf.networks.data.opening import open_data
from opperf.networks.data.place import LoaderPlace
from opperf.networks.data.request import DataRequest
from tests.networks.data.models import ImageModel, model_for

framework, stuck = sys.argv[1], sys.argv[2] == "stuck"
model = model_for(framework)
owner = os.getpid()

def say(*words):  # at once: print writes word by word where PYTHONUNBUFFERED is set
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def example(batch, generator):
    if os.getpid() != owner:
        say(os.getpid(), sys.getprofile(), sorted(os.sched_getaffinity(0)))
        while stuck:
            time.sleep(60)
    return ImageModel.example(model, batch, generator)

model.example = example
end_forks_that_return([])
allowed = tuple(os.sched_getaffinity(0))
os.sched_setaffinity(0, allowed[:1])
request = DataRequest(resident=False, threads=2)
loader = open_data(request, model, 2, framework, LoaderPlace(processors=allowed))
if stuck:  # waits for the first batch for ever
    threading.Thread(target=next, args=(loader,), daemon=True).start()
else:
    for _ in range(9):
        next(loader)
say("allowed", sorted(allowed))
time.sleep(600)
"""


@contextmanager
def process_of(framework: str, how: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process that loads; kill it."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, framework, how],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def hear(process: subprocess.Popen[str]) -> tuple[set[str], str]:
    """Return what its loader's processes say, and what it says itself.

    One of them may have been given no work.
    """
    assert process.stdout is not None
    said: set[str] = set()
    allowed = ""
    while not (allowed and said):
        first, _, rest = process.stdout.readline().strip().partition(" ")
        assert first, "it ended"
        if first == "allowed":
            allowed = rest
        else:
            said.add(rest)
    return said, allowed


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("how", ["stuck", "waiting"])
def test_loader_processes_end_with_their_parent(framework: str, how: str) -> None:
    """However it ended, and whatever they are at: reading, or waiting for work."""
    with process_of(framework, how) as process:
        said, allowed = hear(process)
        children = psutil.Process(process.pid).children()
        assert len(children) == 2
        assert said == {f"None {allowed}"}
    _, alive = psutil.wait_procs(children, timeout=120)
    # A container's first process may leave the dead unawaited.
    assert all(child.status() == psutil.STATUS_ZOMBIE for child in alive if child.is_running())
