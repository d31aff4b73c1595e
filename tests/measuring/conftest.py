"""What the tests of children need to see of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from opperf.measuring.worker.handle import Limits, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE = 120.0
HEAD = """
requests=$7 replies=$8
hear() { read -u $requests token asked; }
say() { echo "$token $1" >&$replies; }
"""


@pytest.fixture
def await_end() -> Callable[[list[psutil.Process]], bool]:
    """Return a function that waits until none of these processes runs.

    One that nobody has reaped counts as ended: in a container that may never happen.
    """

    def wait(processes: list[psutil.Process]) -> bool:
        deadline = time.monotonic() + PATIENCE
        while any(map(runs, processes)) and time.monotonic() < deadline:
            time.sleep(0.02)
        return not any(map(runs, processes))

    return wait


def runs(process: psutil.Process) -> bool:
    """Return whether a process is still at work."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def make() -> Iterator[Callable[..., Worker]]:
    """Return a function that makes a handle, whose child is ended with the test."""
    workers: list[Worker] = []

    def make_worker(limits: Limits | None = None, **options: Any) -> Worker:
        fields: dict[str, Any] = {"framework": "numpy", "device": "cpu", "threads": 1} | options
        workers.append(Worker(limits=limits or Limits(), **fields))
        return workers[-1]

    yield make_worker
    for worker in workers:
        worker.close()


@pytest.fixture
def python(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that makes an interpreter which does something else.

    Its arguments are -c, the code, opperf.measuring.children.timing, framework, device, threads,
    and the descriptors of requests ($7), replies ($8) and lifeline ($9). `hear` waits for a
    request, `say` answers it.
    """

    def write(script: str) -> str:
        path = tmp_path / "python"
        path.write_text(f"#!/bin/bash\n{HEAD}\nhear\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return write
