"""Whether every job of a fleet ends exactly once, whatever goes down, at random times.

    python benchmarks/fleet_faults.py                    # each fault 20 times: ten minutes
    python benchmarks/fleet_faults.py --times 2 --down 3 --faults worker,link

Three hosts on loopback, each with links of its own to the scheduler and to PostgreSQL (ports of
this program that forward, or do not). For each fault and time some jobs are submitted; the fault
comes at a random moment while they run, and is repaired. Then all jobs must have ended; one that is
done has one run in the store with all of its results, one that failed has its reason, and nothing
else is stored.

Most of the time is waiting, 30 s for each link that is down: several such fleets, each with a
PostgreSQL of its own, share the times among them. Each one's seed is printed. The exit code is 1
where something was lost or doubled.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import queue
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fleet_rig import PATIENCE, Link, check_once, rig, submit_waits
from sqlalchemy import select

from opperf.fleet.hosts.rows import READY, list_hosts
from opperf.fleet.jobs.leases import FAILED
from opperf.fleet.store import changing
from opperf.storing.database.fleet_tables import job, submission

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.process import BaseProcess

    from fleet_rig import Rig

NAMES = ("worker", "scheduler", "client", "link", "database", "disk", "clock", "version")
HOSTS = ("h1", "h2", "h3")
JOBS, SECONDS, LEASE = 9, 1.0, 30.0
HOUR = 3600.0
SOCKET = ".s.PGSQL.5432"
OTHER = (
    "import sys, opperf.fleet.store as store; store.FLEET_VERSION = '0.0.9 (opperf.result/4)'; "
    "import fleet_rig; fleet_rig.work(*sys.argv[1:])"
)


class Faults:
    """A fleet, and what may happen to it."""

    def __init__(self, fleet: Rig, chance: random.Random, down: float) -> None:
        self.fleet, self.chance, self.down = fleet, chance, down
        host, _, port = fleet.address.removeprefix("tcp://").partition(":")
        self.to_scheduler = {name: Link((host, int(port))) for name in HOSTS}
        self.to_store = {name: Link(str(fleet.server.folder / SOCKET)) for name in HOSTS}
        for name in HOSTS:
            self.start_worker(name)
        fleet.poll(self.is_whole)

    def start_worker(self, name: str, ahead: float = 0.0) -> None:
        """Start a host at its links."""
        self.fleet.start_worker(name, *self.addresses(name), ahead=ahead)

    def addresses(self, name: str) -> tuple[str, str]:
        """Return where a host finds the scheduler and the store."""
        database = self.fleet.store.url.database
        store = f"postgresql://opperf@127.0.0.1:{self.to_store[name].port}/{database}"
        return f"tcp://127.0.0.1:{self.to_scheduler[name].port}", store

    def is_whole(self) -> bool:
        """Return whether all hosts are in the fleet, by their rows."""
        with suppress(Exception), changing(self.fleet.store) as connection:
            ready = {row.name for row in list_hosts(connection) if row.state == READY}
            return ready >= set(HOSTS)
        return False

    def wait(self, longest: float = JOBS * SECONDS / len(HOSTS)) -> None:
        """Wait for a random time, within which jobs begin and end."""
        time.sleep(self.chance.uniform(0, longest))

    def worker(self) -> None:
        """Kill a worker, and start it again after a while."""
        name = self.chance.choice(HOSTS)
        self.fleet.kill(name)
        self.wait()
        self.start_worker(name)

    def scheduler(self) -> None:
        """Kill the scheduler, and start it again after a while."""
        self.fleet.kill("scheduler")
        self.wait()
        self.fleet.start_scheduler()

    def client(self) -> None:
        """Kill somebody who submits and waits: all of its jobs are there, or none."""
        before, said = self.submissions(), len(self.fleet.said("client"))
        self.fleet.start_client(JOBS, SECONDS / 2)
        self.fleet.poll(lambda: "submits" in self.fleet.said("client")[said:])
        self.wait(0.3)
        self.fleet.kill("client")
        time.sleep(0.5)
        for name in self.submissions() - before:
            assert self.fleet.states(name).total() == JOBS, self.fleet.states(name)

    def submissions(self) -> set[str]:
        """Return the names of all submissions."""
        with changing(self.fleet.store) as connection:
            return set(connection.scalars(select(submission.c.id)))

    def link(self) -> None:
        """Take down the links of a host; half of the times both ends give up meanwhile."""
        name = self.chance.choice(HOSTS)
        links = self.chance.choice(
            (
                [self.to_scheduler[name], self.to_store[name]],
                [self.to_scheduler[name]],
                [self.to_store[name]],
            )
        )
        for one in links:
            one.is_up.clear()
        time.sleep(self.down)
        given_up = self.chance.random() < 0.5
        for one in links:
            if given_up:
                one.cut()
            one.is_up.set()

    def database(self) -> None:
        """Stop PostgreSQL as a power cut would, and start it again after a while."""
        self.fleet.server.stop()
        self.wait()
        self.fleet.server.start()

    def disk(self) -> None:
        """Let a host write nothing into files for a while, neither worker nor job."""
        process = self.fleet.running[self.chance.choice(HOSTS)]
        with forbidden_files(process):
            self.wait()

    def clock(self) -> None:
        """Start a host again whose clock is an hour off."""
        name = self.chance.choice(HOSTS)
        self.fleet.kill(name)
        self.start_worker(name, ahead=self.chance.choice((-HOUR, HOUR)))

    def version(self) -> None:
        """Start a host of another version: it is refused, and measures nothing."""
        name = "other"
        addresses = self.addresses(self.chance.choice(HOSTS))
        process = self.fleet.start(name, "-c", OTHER, addresses[0], name, addresses[1],
                                   str(self.fleet.folder))  # fmt: skip
        assert process.wait(PATIENCE) != 0
        assert "refused by" in self.fleet.said(name)
        with changing(self.fleet.store) as connection:
            assert not connection.execute(select(job.c.id).where(job.c.host == name)).all()


@contextmanager
def forbidden_files(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Forbid a process and those that it starts to let files grow: what a quota does."""
    unlimited = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, unlimited[1]))
    try:
        yield
    finally:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)


def attempt(faults: Faults, fault: Callable[[], None]) -> str:
    """Do one fault while jobs run, and return what is wrong after it."""
    fleet = faults.fleet
    submit_waits(fleet.store, [faults.chance.uniform(0.2, 2) * SECONDS for _ in range(JOBS)], LEASE)
    faults.wait()
    fault()

    def has_ended() -> bool:
        with suppress(Exception):
            return fleet.has_ended()
        return False

    fleet.poll(has_ended)
    for host in HOSTS:
        assert fleet.running[host].poll() is None, fleet.said(host)
    with changing(fleet.store) as connection:
        return check_once(connection)


@dataclass
class Tally:
    """What became of the jobs of one fault, all times and fleets together."""

    times: int = 0
    seconds: float = 0.0
    states: Counter[str] = field(default_factory=Counter)
    again: int = 0
    failures: list[str] = field(default_factory=list)
    """Why jobs failed, which they may."""
    wrong: list[str] = field(default_factory=list)
    """What was lost, doubled or without a reason."""

    def add(self, other: Tally) -> None:
        """Count what another fleet found."""
        self.times += other.times
        self.seconds += other.seconds
        self.states += other.states
        self.again += other.again
        self.failures += other.failures
        self.wrong += other.wrong

    def __str__(self) -> str:
        states = ", ".join(f"{count} {state}" for state, count in sorted(self.states.items()))
        end = "".join(f"\n  {line}" for line in (*self.failures, *self.wrong))
        return (
            f"{self.times} times, {self.seconds / self.times:.0f} s each; of {self.states.total()} "
            f"jobs {states}; {self.again} tried again; "
            f"lost or doubled: {len(self.wrong) or 'none'}{end}"
        )


def main() -> int:
    """Do each fault so many times; print a line for each, and return 1 where jobs are wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--faults", default=",".join(NAMES))
    parser.add_argument("--times", type=int, default=20, help="of each fault, all fleets together")
    parser.add_argument("--down", type=float, default=30.0, help="seconds that a link is down")
    parser.add_argument("--fleets", type=int, default=4, help="beside each other")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(2), "big"))
    arguments = parser.parse_args()
    names, fleets = arguments.faults.split(","), min(arguments.fleets, arguments.times)
    if unknown := {*names} - {*NAMES}:
        parser.error(f"unknown fault {min(unknown)!r}; there are {', '.join(NAMES)}")
    context = multiprocessing.get_context("spawn")
    found: multiprocessing.Queue[tuple[str, Tally]] = context.Queue()
    processes = []
    for number in range(fleets):
        times = arguments.times // fleets + (number < arguments.times % fleets)
        words = (number, names, times, arguments.down, arguments.seed + number, found)
        processes.append(context.Process(target=run_fleet, args=words))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        for process in processes:
            process.start()
        tallies = collect(found, processes, fleets * len(names))
    except BaseException:
        for process in processes:
            process.terminate()
        raise
    finally:
        for process in processes:
            process.join()
    for name in names:
        print(f"{name}: {tallies[name]}" if name in tallies else f"{name}: not done")
    complete = all(tallies[name].times == arguments.times for name in names if name in tallies)
    sound = complete and len(tallies) == len(names) and not any(t.wrong for t in tallies.values())
    return 0 if sound else 1


def collect(
    found: multiprocessing.Queue[tuple[str, Tally]], processes: Sequence[BaseProcess], parts: int
) -> dict[str, Tally]:
    """Return what all fleets found, by fault; one that broke is not waited for."""
    tallies: dict[str, Tally] = {}
    while parts:
        try:
            name, tally = found.get(timeout=1)
        except queue.Empty:
            if all(process.exitcode is not None for process in processes):
                break
            continue
        parts -= 1
        tallies.setdefault(name, Tally()).add(tally)
    return tallies


def run_fleet(
    number: int,
    names: Sequence[str],
    times: int,
    down: float,
    seed: int,
    found: multiprocessing.Queue[tuple[str, Tally]],
) -> None:
    """Be one fleet: do each fault so many times, and send what became of its jobs."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory(prefix="fleet-") as path, rig(Path(path)) as fleet:
        fleet.start_scheduler()
        faults, told = Faults(fleet, chance, down), 0
        for name in names:
            began, tally = time.monotonic(), Tally()
            while tally.times < times and not tally.wrong:
                tally.times += 1
                if wrong := attempt(faults, getattr(faults, name)):
                    tally.wrong.append(f"fleet {number}, time {tally.times}: {wrong}")
            tally.seconds = time.monotonic() - began
            told = count_jobs(fleet, told, tally)
            print(f"fleet {number}, seed {seed}: {name}: {tally}", flush=True)
            found.put((name, tally))


def count_jobs(fleet: Rig, told: int, tally: Tally) -> int:
    """Count what became of the jobs behind one, and return the last one's number."""
    with changing(fleet.store) as connection:
        rows = connection.execute(select(job).where(job.c.id > told)).all()
    tally.states = Counter(row.state for row in rows)
    tally.again = sum(row.attempt > 1 for row in rows)
    tally.failures = [f"job {row.id} failed: {row.reason}" for row in rows if row.state == FAILED]
    return max((row.id for row in rows), default=told)


if __name__ == "__main__":
    sys.exit(main())
