"""What a fleet's scheduler and database cost for each job, with many hosts on this machine.

    python benchmarks/fleet_simulated.py                 # 200 hosts, 20,000 jobs: ten minutes
    python benchmarks/fleet_simulated.py --hosts 8 --jobs 60 --seconds 0.5

The scheduler is `opperf fleet scheduler` on loopback, the database a PostgreSQL of its own that
waits for the disk as it does elsewhere. Hosts are Dask workers, many in a process, each with its
spool: they take leases, write run directories of five results and store them as a host does, and
sleep where a host measures, for a time drawn from a log-normal distribution. Spools are in memory
where there is room (/dev/shm): each host of a fleet has a disk of its own.

All of it shares this machine's processors. A job takes some 20 ms of processor in all, hosts
included, so that two processors do a hundred jobs a second at most; with less than half of that
nothing waits for a processor for long. 200 hosts with jobs of 5 s end 40 jobs a second: 20,000 jobs
take 500 s. Shorter jobs measure this machine's processors, not a fleet.

Processor time is read from /proc: of the scheduler, and of PostgreSQL with all its children.
Printed are also the share of the hosts that measured, from the first lease until a host found
nothing left and until the last lease, and how long a host had nothing between two jobs, by the
database's clock. The exit code is 1 where a job was lost or stored twice.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import numpy as np
from fleet_rig import RESULTS, check_once, rig, stand_in_facts, submit_waits
from site_of_runs import Nights
from sqlalchemy import func, select

from opperf.fleet.client.progress import list_jobs, read_progress
from opperf.fleet.configuration import QUIET
from opperf.fleet.hosts.facts import dask_resources
from opperf.fleet.hosts.rows import READY, write_host
from opperf.fleet.jobs.leases import take_lease
from opperf.fleet.store import FLEET_VERSION, changing, open_fleet_store
from opperf.fleet.worker.host import Host
from opperf.fleet.worker.spool import HostSpool

if TYPE_CHECKING:
    from fleet_rig import Rig

    from opperf.fleet.jobs.leases import Lease

TICKS = os.sysconf("SC_CLK_TCK")
SPREAD = 0.5
"""Of the logarithm of a job's duration."""
MOST_RUNS = 10_000_000
ALONE, STORED = "alone", 50
"""The host that stores alone before the others come, and how many jobs."""
NEEDED = 2**30
"""Bytes of memory for spools."""
STORING = 16
"""Threads of a process of hosts that talk to the database."""


@dataclass
class SimulatedHost(Host):
    """Sleeps where a host measures, and lets the other hosts of its process go on."""

    nights: Nights = field(default_factory=lambda: Nights(RESULTS, MOST_RUNS))

    async def carry_out(self, number: int) -> None:
        """Take a lease, wait, and store."""
        loop = asyncio.get_running_loop()
        lease = await loop.run_in_executor(None, self.take, number)
        if lease is not None:
            entry = await loop.run_in_executor(None, self.spool.begin, lease)
            await asyncio.sleep(float(lease.words[1]))
            self.nights.make(run_number(lease), entry.runs)
            await loop.run_in_executor(None, entry.note_outcome, 0)
        for line in await loop.run_in_executor(None, self.spool.store_all, self.store):
            if not line.endswith("stored"):
                print(line, file=sys.stderr, flush=True)


def run_number(lease: Lease) -> int:
    """Return a number that no other attempt has."""
    return lease.job * 4 + lease.attempt


def serve_hosts(address: str, url: str, spools: Path, first: int, number: int) -> None:
    """Be so many hosts, until this process is ended."""
    asyncio.run(serve_all(address, url, spools, range(first, first + number)))


async def serve_all(address: str, url: str, spools: Path, numbers: range) -> None:
    """Run a Dask worker for each host."""
    import dask

    from opperf.fleet.worker.task import HostWorker

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(STORING))
    nights = Nights(RESULTS, MOST_RUNS)
    nights.chance = np.random.default_rng()  # identities of their own
    workers = []
    with dask.config.set(QUIET), ExitStack() as stack:
        for number in numbers:
            facts = stand_in_facts(f"h{number}")
            store = open_fleet_store(url)
            stack.enter_context(store.keeping_connection())
            with changing(store) as connection:
                write_host(connection, facts, READY)
            spool = HostSpool(spools / facts["host"])
            worker = HostWorker(
                address, name=facts["host"], nthreads=1, resources=dask_resources(facts),
                memory_limit=0, validate=False, dashboard=False,
            )  # fmt: skip
            worker.measuring_host = SimulatedHost(facts, store, spool, None, print, nights=nights)
            workers.append(await worker)
            for callback in worker.periodic_callbacks.values():
                callback.stop()  # as while a host measures
        await asyncio.Event().wait()


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and of its children, those that are gone included."""
    total = 0
    for path in (Path(f"/proc/{pid}/stat"), *children(pid)):
        try:
            values = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        total += sum(map(int, values[11:15]))
    return total / TICKS


def children(pid: int) -> list[Path]:
    """Return where the children of a process say what they used."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path(f"/proc/{child}/stat") for child in found]


def main() -> int:
    """Run the jobs, print what they cost, and return 1 where one was lost or doubled."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=5.0, help="a job takes, on average")
    parser.add_argument("--processes", type=int, default=2, help="that the hosts are in")
    arguments = parser.parse_args()
    settings = (f"max_connections={arguments.hosts + 20}",)
    with (
        tempfile.TemporaryDirectory(prefix="fleet-") as path,
        tempfile.TemporaryDirectory(prefix="fleet-spools-", dir=memory()) as spools,
        rig(Path(path), settings) as fleet,
    ):
        wall, processor = (1000 * seconds for seconds in time_storing(fleet, Path(spools)))
        print(f"one job alone is stored in {wall:.1f} ms; {processor:.1f} ms are its host's")
        fleet.start_scheduler()
        context = multiprocessing.get_context("spawn")
        parts = np.array_split(np.arange(arguments.hosts), arguments.processes)
        processes = [
            context.Process(
                target=serve_hosts, daemon=True,
                args=(fleet.address, fleet.url, Path(spools), int(part[0]), len(part)),
            )
            for part in parts if len(part)
        ]  # fmt: skip
        for process in processes:
            process.start()
        try:
            return measure(fleet, arguments, [process.pid or 0 for process in processes])
        finally:
            for process in processes:
                process.kill()
                process.join()


def memory() -> Path | None:
    """Return a folder in memory for spools, None where there is none with room for them."""
    folder = Path("/dev/shm")  # noqa: S108 - folders of their own are made there
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > NEEDED else None


def measure(fleet: Rig, arguments: argparse.Namespace, hosts: list[int]) -> int:
    """Submit, wait, and print."""
    fleet.poll(lambda: count_hosts(fleet) == arguments.hosts)
    chance = np.random.default_rng(7)
    logarithms = chance.normal(-(SPREAD**2) / 2, SPREAD, arguments.jobs)
    seconds = arguments.seconds * np.exp(logarithms)
    scheduler, database = fleet.running["scheduler"].pid, fleet.server.process.pid
    began, size = time.perf_counter(), database_bytes(fleet)
    name = submit_waits(fleet.store, seconds.tolist())
    submitted = 1000 * (time.perf_counter() - began) / arguments.jobs
    print(f"submitted {arguments.jobs} jobs, {submitted:.2f} ms each", flush=True)
    before = [processor_seconds(pid) for pid in (scheduler, database, *hosts)]
    patience = 600 + 5 * seconds.sum() / arguments.hosts
    while not fleet.has_ended(name):
        assert time.perf_counter() - began < patience, fleet.said("scheduler")
        time.sleep(min(5.0, arguments.seconds))
    after = [processor_seconds(pid) for pid in (scheduler, database, *hosts)]
    costs = 1000 * (np.array(after) - before) / arguments.jobs
    with fleet.store.reading() as connection:
        wrong = check_once(connection)
        rows = [*list_jobs(connection, name)]
        counting = time.perf_counter()
        read_progress(connection, name)
        counting = time.perf_counter() - counting
    print("load average:", *(f"{value:.1f}" for value in os.getloadavg()))
    print(f"{len(rows)} jobs, {arguments.hosts} hosts, {seconds.mean():.2f} s a job")
    print(f"processor time a job: scheduler {costs[0]:.2f} ms, database {costs[1]:.2f} ms, "
          f"hosts {costs[2:].sum():.2f} ms")  # fmt: skip
    tell_times(rows, seconds, arguments.hosts)
    grown = (database_bytes(fleet) - size) / len(rows)
    print(f"size of the database, a job: {grown / 1e3:.1f} kB; "
          f"counting how far they are: {1000 * counting:.0f} ms")  # fmt: skip
    print(f"lost or doubled: {wrong or 'none'}")
    return 1 if wrong else 0


def database_bytes(fleet: Rig) -> int:
    """Return how large the database is."""
    with changing(fleet.store) as connection:
        return int(connection.scalar(select(func.pg_database_size(func.current_database()))))


def time_storing(fleet: Rig, spools: Path) -> tuple[float, float]:
    """Return the seconds that storing a job takes where nobody else does, and the processor's."""
    with changing(fleet.store) as connection:
        write_host(connection, stand_in_facts(ALONE), READY)
    name = submit_waits(fleet.store, [0.0] * STORED)
    spool = HostSpool(spools / ALONE)
    nights, found = Nights(RESULTS, MOST_RUNS), []
    with fleet.store.keeping_connection():
        with changing(fleet.store) as connection:
            rows = list_jobs(connection, name)
            leases = [take_lease(connection, row.id, ALONE, FLEET_VERSION) for row in rows]
        for lease in leases:
            assert lease is not None
            entry = spool.begin(lease)
            nights.make(run_number(lease), entry.runs)
            entry.note_outcome(0)
            began, worked = time.perf_counter(), time.process_time()
            spool.store_all(fleet.store)
            found.append((time.perf_counter() - began, time.process_time() - worked))
    wall, processor = zip(*found, strict=True)
    return median(wall), median(processor)


def count_hosts(fleet: Rig) -> int:
    """Return how many hosts are in the fleet."""
    from opperf.fleet.client.greeting import greet
    from opperf.fleet.hosts.rows import list_hosts

    greet(fleet.address, None)
    with changing(fleet.store) as connection:
        return sum(row.state == READY for row in list_hosts(connection))


def tell_times(rows: list[Any], seconds: np.ndarray[Any, Any], hosts: int) -> None:
    """Print how busy the hosts were, and what passed between two jobs."""
    durations = dict(zip(sorted(row.id for row in rows), seconds.tolist(), strict=True))
    by_host: dict[str, list[Any]] = {}
    for row in sorted(rows, key=lambda row: row.began_at):
        by_host.setdefault(row.host, []).append(row)
    first, last = min(row.began_at for row in rows), max(row.began_at for row in rows)
    tail = min(own[-1].ended_at for own in by_host.values())
    for title, until in (("a host found nothing left", tail), ("the last lease", last)):
        span = (until - first).total_seconds()
        measured = sum(
            min(durations[row.id], max(0.0, (until - row.began_at).total_seconds())) for row in rows
        )
        if span:
            print(f"busy until {title}: {measured / (hosts * span):.1%} for {span:.1f} s")
    whole = (max(row.ended_at for row in rows) - first).total_seconds()
    print(f"all ended after {whole:.1f} s, {len(rows) / whole:.1f} jobs a second")
    held = [(row.ended_at - row.began_at).total_seconds() - durations[row.id] for row in rows]
    gaps = [
        (later.began_at - earlier.ended_at).total_seconds()
        for own in by_host.values()
        for earlier, later in pairwise(own)
    ]
    if gaps:
        print(f"between two jobs of a host: median {1000 * median(gaps):.0f} ms; "
              f"in a lease, but not measuring: mean {1000 * mean(held):.0f} ms")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
