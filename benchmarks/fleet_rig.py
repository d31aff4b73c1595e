"""A fleet on one machine whose hosts measure nothing: for fleet_simulated.py and fleet_faults.py.

Scheduler, workers, leases, spools and PostgreSQL are real. Only the process of a job is a stand-in:
it sleeps for as long as the job says, and leaves a run directory as `opperf run` does.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_of_runs import Nights
from sqlalchemy import func, select

from opperf.fleet.client.submission import JobRequest, submit
from opperf.fleet.jobs.leases import DONE, ENDED, FAILED
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import changing
from opperf.fleet.worker.process import JobProcess
from opperf.storing.database import schema
from opperf.storing.database.connection import create_store
from opperf.storing.database.fleet_tables import job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database

ROOT = Path(__file__).parents[1]
ENVIRON = {**os.environ, "PYTHONPATH": str(ROOT / "benchmarks")}
"""What all processes of a rig have: whatever differs moves memory, which is felt in times."""
PATIENCE, QUARANTINE = 300.0, 3.0
RESULTS = 5
"""Results of a job, as an operator has in two frameworks."""
TEMPLATE_RUN = "20260101T020000-000000"
STAND_IN = """
import pathlib, re, secrets, sys, time
template, seconds, runs = pathlib.Path(sys.argv[1]), float(sys.argv[2]), pathlib.Path(sys.argv[3])
run_id = f"20260101T020000-{secrets.token_hex(3)}"
folder = runs / run_id
folder.mkdir()
(folder / "run.json").write_text((template / "run.json").read_text().replace(template.name, run_id))
lines = (template / "results.jsonl").read_text().splitlines()
with (folder / "results.jsonl").open("w") as journal:
    for line in lines:
        time.sleep(seconds / len(lines))
        line = re.sub('"result_id":"[0-9a-f]+"', f'"result_id":"{secrets.token_hex(16)}"', line)
        print(line.replace(template.name, run_id), file=journal, flush=True)
"""
"""A job's process: its results come one by one, under a run and identities of its own."""


class StandInProcess(JobProcess):
    """Starts the stand-in where a host starts opperf; its words are `run SECONDS`."""

    template: Path

    def run(
        self, command: Sequence[str], folder: Path, environ: Mapping[str, str], seconds: float
    ) -> int | None:
        """Return the exit code of a stand-in."""
        duration, runs = command[4], command[command.index("--runs-dir") + 1]
        words = [sys.executable, "-S", "-E", "-c", STAND_IN, str(self.template), duration, runs]
        return super().run(words, folder, environ, seconds)


def stand_in_facts(name: str) -> dict[str, Any]:
    """Return the facts of a host that measures nothing."""
    return {
        "host": name, "kind": "simulated", "cpu": "simulated", "cores": 1, "isa": [], "gpu": [],
        "memory_bytes": 2**33, "os": "Linux", "frameworks": {"numpy": "0"}, "tag": [],
    }  # fmt: skip


def work(address: str, name: str, store_url: str, folder: str, ahead: str = "0") -> None:
    """Be a host: opperf's worker, its job's process replaced, its clock ahead by some seconds."""
    actual, lead = time.time, float(ahead)
    if lead:
        time.time = lambda: actual() + lead
    from opperf.core.machine import turns
    from opperf.fleet.store import open_fleet_store
    from opperf.fleet.worker import service
    from opperf.fleet.worker.host import Host
    from opperf.fleet.worker.spool import HostSpool, sole_owner

    service.QUARANTINE_S = QUARANTINE
    turns.turns_path = lambda: Path(folder) / f"{name}.lock"
    spool = HostSpool(Path(folder) / "spools" / name)
    process = StandInProcess()
    process.template = Path(folder) / TEMPLATE_RUN
    facts = stand_in_facts(name)

    async def serve_host() -> None:
        host = Host(facts, open_fleet_store(store_url), spool, None, say, process=process)
        await service.serve(host, address, None)

    with sole_owner(spool):
        asyncio.run(serve_host())


def say(line: str) -> None:
    """Print a line with the time."""
    print(f"{time.monotonic():.2f} {line}", file=sys.stderr, flush=True)


def ask(address: str, store_url: str, jobs: str, seconds: str) -> None:
    """Be a client: greet the scheduler, submit, and wait, as `opperf run --fleet` does."""
    from opperf.fleet.client.greeting import greet
    from opperf.fleet.client.progress import watch
    from opperf.fleet.store import open_fleet_store

    store = open_fleet_store(store_url)
    greet(address, None)
    say("submits")
    name = submit_waits(store, [float(seconds)] * int(jobs))
    greet(address, None, name)
    for _ in watch(store, name, say):
        pass


def submit_waits(store: Database, seconds: Sequence[float], lease: float | None = None) -> str:
    """Submit a job for each duration, and return the submission's name."""
    anywhere = HostRequirement(frameworks=("numpy",))
    works = [
        JobRequest(f"wait {number}", ("run", f"{duration:.4f}"), anywhere)
        for number, duration in enumerate(seconds)
    ]
    name = submit(store, "benchmarks/fleet_rig.py", works, 1)
    if lease is not None:
        with changing(store) as connection:
            of_these = job.update().where(job.c.submission == name)
            connection.execute(of_these.values(lease_seconds=lease))
    return name


class Link:
    """A port that leads to another one, until it is down: then nothing is forwarded."""

    def __init__(self, target: str | tuple[str, int]) -> None:
        self.target = target
        self.is_up = threading.Event()
        self.is_up.set()
        self.sockets: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Forward each connection, both ways."""
        while True:
            near, _ = self.listener.accept()
            threading.Thread(target=self.join, args=(near,), daemon=True).start()

    def join(self, near: socket.socket) -> None:
        """Connect to the target, once the link is up."""
        self.is_up.wait()
        try:
            if isinstance(self.target, str):
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.target)
            else:
                far = socket.create_connection(self.target)
        except OSError:
            near.close()
            return
        self.sockets |= {near, far}
        for pair in ((near, far), (far, near)):
            threading.Thread(target=self.forward, args=pair, daemon=True).start()

    def forward(self, source: socket.socket, sink: socket.socket) -> None:
        """Forward until one end closes."""
        with suppress(OSError):
            while data := source.recv(2**16):
                self.is_up.wait()
                sink.sendall(data)
        self.is_up.wait()
        for end in (source, sink):
            self.sockets.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut(self) -> None:
        """Close all connections, as both ends do after a time without an answer."""
        for end in [*self.sockets]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Rig:
    """The processes of a fleet and its store."""

    def __init__(self, folder: Path, server: Any, stack: ExitStack) -> None:
        self.folder, self.server, self.stack = folder, server, stack
        self.url = server.make_database()
        self.store = create_store(self.url)
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.address = "tcp://127.0.0.1:0"
        make_template(folder)

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """Start a process whose errors go to a file of its name."""
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], stdout=log, stderr=log, cwd=self.folder, env=ENVIRON
            )
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        self.running[name] = process
        return process

    def start_scheduler(self) -> None:
        """Start the scheduler where the last one was, and wait until it listens."""
        said = len(self.said("scheduler"))
        words = ("fleet", "scheduler", "--listen", self.address, "--store", self.url)
        words += ("--calibrate", "no")
        self.start("scheduler", "-m", "opperf", *words)
        self.poll(lambda: "schedules at" in self.said("scheduler")[said:])
        self.address = self.said("scheduler").rpartition("schedules at ")[2].split()[0]

    def start_worker(self, name: str, address: str, url: str, ahead: float = 0.0) -> None:
        """Start a host."""
        program = "import sys, fleet_rig; fleet_rig.work(*sys.argv[1:])"
        self.start(name, "-c", program, address, name, url, str(self.folder), str(ahead))

    def start_client(self, jobs: int, seconds: float) -> subprocess.Popen[bytes]:
        """Start somebody who submits and waits."""
        program = "import sys, fleet_rig; fleet_rig.ask(*sys.argv[1:])"
        return self.start("client", "-c", program, self.address, self.url, str(jobs), str(seconds))

    def kill(self, name: str) -> None:
        """Kill a process, and wait until it is gone."""
        self.running[name].kill()
        self.running[name].wait()

    def log(self, name: str) -> Path:
        """Return the file of what a process says."""
        return self.folder / f"{name}.log"

    def said(self, name: str) -> str:
        """Return what a process has said so far."""
        return self.log(name).read_text() if self.log(name).exists() else ""

    def poll(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Wait until something is so.

        Raises:
            TimeoutError: It does not come.
        """
        deadline = time.monotonic() + patience
        while not condition():
            if time.monotonic() > deadline:
                logs = [f"{path.name}: {path.read_text()[-2000:]}" for path in self.logs()]
                raise TimeoutError("\n".join(logs))
            time.sleep(0.1)

    def logs(self) -> list[Path]:
        """Return the files of what all processes say."""
        return sorted(self.folder.glob("*.log"))

    def states(self, submission: str) -> Counter[str]:
        """Return how many jobs of a submission are in each state."""
        query = select(job.c.state, func.count()).where(job.c.submission == submission)
        with changing(self.store) as connection:
            found = connection.execute(query.group_by(job.c.state))
            return Counter({row[0]: row[1] for row in found})

    def has_ended(self, submission: str | None = None) -> bool:
        """Return whether all jobs have ended, of a submission or of all."""
        waiting = select(job.c.id).where(job.c.state.not_in(ENDED)).limit(1)
        if submission is not None:
            waiting = waiting.where(job.c.submission == submission)
        with changing(self.store) as connection:
            return connection.scalar(waiting) is None


def make_template(folder: Path) -> None:
    """Write the run directory that stand-ins copy."""
    Nights(RESULTS, 1).make(0, folder)


def check_once(connection: Connection, results: int = RESULTS) -> str:
    """Return what is lost, doubled or without a reason in a store; empty where all is well.

    Each job that is done has a run of its own with all of its results, and nothing else is stored.
    """
    rows = connection.execute(select(job)).all()
    names = {row.run_name for row in rows if row.state == DONE}
    done = [row for row in rows if row.state == DONE]
    counted: dict[str, int] = dict(
        connection.execute(
            select(schema.run.c.name, func.count())
            .join(schema.result, schema.result.c.run_id == schema.run.c.id)
            .group_by(schema.run.c.name)
        ).all()
    )
    wrong = [f"job {row.id} is {row.state}" for row in rows if row.state not in ENDED]
    wrong += [f"job {row.id} failed, no reason" for row in rows if is_without_reason(row)]
    if len(names) != len(done):
        wrong.append(f"{len(done)} jobs are done, with {len(names)} runs")
    wrong += [f"run {name}: {counted.get(name, 0)} results" for name in names
              if counted.get(name) != results]  # fmt: skip
    wrong += [f"run {name} belongs to no job" for name in counted if name not in names]
    return "; ".join(wrong[:10])


def is_without_reason(row: Any) -> bool:
    """Return whether a job failed and nobody says why."""
    return row.state == FAILED and not row.reason


@contextmanager
def rig(folder: Path, settings: Sequence[str] = ()) -> Iterator[Rig]:
    """Give a fleet's store and a folder, and end all that was started."""
    sys.path.append(str(ROOT))
    from tests.storing.database.conftest import Server, find_binaries

    binaries = find_binaries()
    if binaries is None:
        sys.exit("no PostgreSQL here (no initdb); Debian: apt-get install postgresql")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # end what was started then, too
    server = Server(binaries, settings=tuple(settings))
    with ExitStack() as stack:
        stack.callback(server.remove)
        server.prepare()
        server.start()
        try:
            yield Rig(folder, server, stack)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # nothing keeps us from ending all of it
