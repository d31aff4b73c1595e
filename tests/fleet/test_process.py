"""Who waits for a job's process sleeps, and takes it along when it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from opperf.fleet.worker.process import JobProcess

PATIENCE = 120.0
FOREVER = [sys.executable, "-c", "import time; time.sleep(600)"]


def switches() -> int:
    """Return how often this thread has gone to sleep."""
    text = Path("/proc/thread-self/status").read_text()
    return int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0])


def test_who_waits_does_not_wake_up(tmp_path: Path) -> None:
    """Python's own wait with a time looks twenty times a second."""
    script = "import time; time.sleep(2); print('measured')"
    before = switches()
    code = JobProcess().run([sys.executable, "-c", script], tmp_path, os.environ, PATIENCE)
    assert code == 0
    assert switches() - before < 20
    assert (tmp_path / "log").read_text() == "measured\n"


def test_a_process_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """The next one may run."""
    process = JobProcess()
    assert process.run(FOREVER, tmp_path, os.environ, 0.2) is None
    assert process.run([sys.executable, "-c", ""], tmp_path, os.environ, PATIENCE) == 0


def test_stopping_ends_what_runs(tmp_path: Path) -> None:
    """As a signal's handler does, which finds the thread asleep."""
    process = JobProcess()

    def stop() -> None:
        while process.running is None:
            time.sleep(0.01)
        process.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert process.run(FOREVER, tmp_path, os.environ, PATIENCE) == -signal.SIGKILL
    stopping.join()


def test_a_worker_that_is_killed_takes_its_job_along(tmp_path: Path) -> None:
    """Else it would measure beside the next one."""
    script = (
        "import os, sys, pathlib\n"
        "from opperf.fleet.worker.process import JobProcess\n"
        "child = 'import os, time; print(os.getpid(), flush=True); time.sleep(600)'\n"
        "command = [sys.executable, '-c', child]\n"
        f"JobProcess().run(command, pathlib.Path({str(tmp_path)!r}), os.environ, 600.0)\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", script])
    log, deadline = tmp_path / "log", time.monotonic() + PATIENCE
    while not (log.exists() and log.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child = psutil.Process(int(log.read_text()))
    worker.kill()
    worker.wait()
    with suppress(psutil.NoSuchProcess):
        while child.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < deadline
            time.sleep(0.05)
