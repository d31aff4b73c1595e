"""Whether a host's worker is felt: the same operator alone and as a fleet's job, in turns.

Needs an empty PostgreSQL database: python benchmarks/fleet_quiet.py postgresql://user@/empty
It starts a scheduler and a worker on loopback, and prints how often the worker's threads slept or
were interrupted each second, idle and while a job was measured, and the ratio of the times.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OPPERF = [sys.executable, "-m", "opperf"]
MEASURED = ["run", "Exp", "--framework", "numpy", "--size", "small", "-k", "direction=forward"]
PATIENCE = 300.0


def switches(pid: int) -> int:
    """Return all context switches of a process's threads so far."""
    found = 0
    for path in Path(f"/proc/{pid}/task").glob("*/status"):
        found += sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", path.read_text())))
    return found


def time_of(words: list[str], folder: Path) -> float:
    """Return the median time that a command measured."""
    command = [*OPPERF, *MEASURED, "--format", "json", "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return float(json.loads(done.stdout)[0]["seconds"])


def rates(pid: int, job: subprocess.Popen[bytes]) -> list[int]:
    """Return the switches of each second of a job, from before it began until after it ended."""
    found = []
    while job.poll() is None:
        before = switches(pid)
        time.sleep(1)
        found.append(switches(pid) - before)
    return found


def wait_for(log: Path, pattern: str) -> str:
    """Return what a process says when it is there."""
    deadline = time.monotonic() + PATIENCE
    while not (found := re.search(pattern, log.read_text())):
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)
    return found[found.lastindex or 0]


def main() -> None:
    """Measure in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store")
    parser.add_argument("--turns", type=int, default=20)
    arguments = parser.parse_args()
    store = ["--store", arguments.store]
    subprocess.run([*OPPERF, "db", "init", *store], check=True)
    running: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> subprocess.Popen[bytes]:
        with (folder / name).open("wb") as log:
            command = [*OPPERF, "fleet", name, *words, *store]
            running.append(subprocess.Popen(command, stderr=log, cwd=folder))
        return running[-1]

    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        try:
            start("scheduler", "--listen", "tcp://127.0.0.1:0", "--calibrate", "no")
            address = wait_for(folder / "scheduler", r"schedules at (\S+)")
            spool = str(folder / "spool")
            worker = start("worker", "--scheduler", address, "--max-noise", "any", "--spool", spool)
            wait_for(folder / "worker", "in the fleet")
            long = [*OPPERF, *MEASURED, "--budget", "10", "--precision", "0.0001", "--quiet"]
            command = [*long, "--fleet", address, *store]
            job = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder, env=os.environ)
            print("switches of the worker, each second of a job:", rates(worker.pid, job))
            fleet, ratios = ["--fleet", address, *store], []
            for number in range(arguments.turns):
                both = [("fleet", fleet), ("alone", [])]
                found = {
                    name: time_of(words, folder) for name, words in both[:: 1 - number % 2 * 2]
                }
                ratios.append(found["fleet"] / found["alone"])
                print(f"turn {number + 1}: {ratios[-1]:.4f}", flush=True)
            low, _, high = statistics.quantiles(ratios, n=4)
            print(f"ratio {statistics.median(ratios):.4f}, quartiles {low:.4f} to {high:.4f}")
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait()


if __name__ == "__main__":
    main()
