"""Whether a host's worker is felt: the same operator alone and as a fleet's job, in turns.

    python benchmarks/fleet_quiet.py                # 20 turns: five minutes
    python benchmarks/fleet_quiet.py --turns 2

It starts a scheduler, a PostgreSQL and a worker on loopback. Printed are how often the threads of
the worker slept or were interrupted in each second, idle and while a job was measured, and the
ratio of an operator's times: as a fleet's job to alone, and alone to alone once more, each turn in
another order. The intervals hold the median with 95 %. Where that of alone to alone is wide, the
machine is not quiet enough for the other one to say something.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import permutations
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from fleet_rig import ENVIRON, rig

from opperf.core.statistics.summary import median_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fleet_rig import Rig

OPPERF = [sys.executable, "-m", "opperf"]
MEASURED = ["run", "Exp", "--framework", "numpy", "--size", "small", "-k", "direction=forward"]
LONG = ["--budget", "10", "--precision", "0.0001"]
IDLE_S = 5
SIDES = ("fleet", "alone", "again")


def switches(pid: int) -> int:
    """Return all context switches of a process's threads so far."""
    found = 0
    for path in Path(f"/proc/{pid}/task").glob("*/status"):
        lines = path.read_text().splitlines()
        found += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return found


def rate(pid: int) -> int:
    """Return the switches of the next second."""
    before = switches(pid)
    time.sleep(1)
    return switches(pid) - before


def time_of(words: Sequence[str], folder: Path) -> float:
    """Return the median time that a command measured."""
    command = [*OPPERF, *MEASURED, "--format", "json", "--quiet", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=ENVIRON
    )
    assert done.returncode == 0, done.stderr
    return float(json.loads(done.stdout)[0]["seconds"])


def start_host(fleet: Rig) -> int:
    """Start a scheduler and a real worker, and return the worker's number."""
    fleet.start_scheduler()
    words = ("--scheduler", fleet.address, "--store", fleet.url, "--max-noise", "any")
    spool = ("--spool", str(fleet.folder / "spool"))
    worker = fleet.start("worker", "-m", "opperf", "fleet", "worker", *words, *spool)
    fleet.poll(lambda: "in the fleet" in fleet.said("worker"))
    return worker.pid


def tell(title: str, ratios: Sequence[float]) -> None:
    """Print the median of ratios with its interval."""
    interval = median_interval(ratios)
    limits = "too few for an interval" if interval is None else "{:.4f} to {:.4f}".format(*interval)
    print(f"{title}: {median(ratios):.4f}, 95 %: {limits}", flush=True)


def main() -> None:
    """Measure in turns."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-") as path, rig(Path(path)) as fleet:
        worker = start_host(fleet)
        print("switches of the worker, each second, idle:", [rate(worker) for _ in range(IDLE_S)])
        within = ["--fleet", fleet.address, "--store", fleet.url]
        command = [*OPPERF, *MEASURED, *LONG, "--quiet", *within]
        job = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=fleet.folder, env=ENVIRON)
        found = []
        while job.poll() is None:
            found.append(rate(worker))
        print("from before a job until after it:", found, flush=True)
        orders, ratios, control = [*permutations(SIDES)], [], []
        for number in range(arguments.turns):
            times = {
                side: time_of(within if side == "fleet" else (), fleet.folder)
                for side in orders[number % len(orders)]
            }
            ratios.append(times["fleet"] / times["alone"])
            control.append(times["again"] / times["alone"])
            print(f"turn {number + 1}: {ratios[-1]:.4f}, {control[-1]:.4f}", flush=True)
        tell("as a fleet's job to alone", ratios)
        tell("alone once more to alone", control)
        print("load average:", *(f"{value:.1f}" for value in os.getloadavg()))


if __name__ == "__main__":
    main()
