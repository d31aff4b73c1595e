"""A fleet of a scheduler and three hosts on loopback, with TLS and a PostgreSQL of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from opperf.cli import main
from opperf.core.results.status import TROUBLE
from opperf.fleet.jobs.leases import ENDED
from opperf.fleet.store import changing
from opperf.storing.database import schema
from opperf.storing.database.connection import create_store
from opperf.storing.database.fleet_tables import job
from opperf.storing.database.importing import SUPERSEDED
from opperf.storing.errors import StorageError
from tests.storing.database.conftest import Server, find_binaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from opperf.storing.database.connection import Database

PATIENCE = 300.0
OPERATORS = (
    "ReLU", "Exp", "Log", "Sin", "Cos", "Add", "Multiply", "Sqrt", "Abs", "Floor", "Ceil", "Sign",
)  # fmt: skip
IMPORT = "import sys, opperf.fleet.store as store"
OTHER = "store.FLEET_VERSION"
PROGRAM = "from opperf.cli import main; sys.exit(main())"
SMALL = ("--framework", "numpy", "--size", "small", "--quick")


@dataclass
class Fleet:
    """The processes of a fleet, each with its log; hosts have locks of their own, as elsewhere."""

    folder: Path
    store: Database
    url: str
    certificates: Path
    stack: ExitStack
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    address: str = ""

    def start(self, name: str, *words: str, version: str | None = None) -> None:
        """Start a process of the fleet, of this version of opperf or another."""
        temporary = self.folder / f"tmp-{name}"
        temporary.mkdir(exist_ok=True)
        program = PROGRAM if version is None else f"{OTHER} = {version!r}\n{PROGRAM}"
        command = [sys.executable, "-c", f"{IMPORT}\n{program}", "fleet", *words, *self.common()]
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.folder,
                env={**os.environ, "TMPDIR": str(temporary)},
            )  # fmt: skip
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        self.running[name] = process

    def start_scheduler(self, calibrate: str = "no") -> None:
        """Start the scheduler at a free port, and learn which; the next one is where it was."""
        where = self.address or "tls://127.0.0.1:0"
        self.start("scheduler", "scheduler", "--listen", where, "--calibrate", calibrate)
        pattern = re.compile(r"schedules at (tls://\S+)")
        self.poll(lambda: pattern.search(self.log("scheduler").read_text()) is not None)
        self.address = pattern.findall(self.log("scheduler").read_text())[-1]

    def start_worker(self, name: str, version: str | None = None) -> None:
        """Start a host, however noisy this machine is."""
        spool = str(self.folder / "spool")
        words = ("--scheduler", self.address, "--name", name, "--max-noise", "any")
        words = (*words, "--spool", spool, "--tag", "tests")
        self.start(name, "worker", *words, version=version)

    def common(self) -> list[str]:
        """Return the flags that all of them have."""
        return ["--store", self.url, "--certs", str(self.certificates)]

    def log(self, name: str) -> Path:
        """Return what a process says."""
        return self.folder / f"{name}.log"

    def ask(self, *words: str, code: int = 0) -> str:
        """Return what a command of a client prints."""
        command = [sys.executable, "-m", "opperf", *words, "--store", self.url]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, timeout=PATIENCE, check=False
        )
        assert done.returncode == code, (done.stdout, done.stderr, self.logs())
        return done.stdout

    def submit(self, *words: str) -> str:
        """Return the name of a submission."""
        certificates = ("--certs", str(self.certificates))
        return self.ask(*words, "--fleet", self.address, *certificates, "--detach").strip()

    def hosts(self) -> dict[str, Any]:
        """Return what `opperf fleet status` says of each host."""
        found = json.loads(self.ask("fleet", "status", "--format", "json"))
        return {one["host"]: one for one in found["hosts"]}

    def jobs(self) -> list[Any]:
        """Return all jobs' rows; none while the database is away."""
        try:
            with changing(self.store) as connection:
                return [*connection.execute(select(job).order_by(job.c.id))]
        except StorageError:
            return []

    def poll(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.2)

    def logs(self) -> str:
        """Return what all processes said."""
        return "\n".join(f"{path.name}: {path.read_text()}" for path in self.folder.glob("*.log"))


@pytest.fixture
def database() -> Iterator[Server]:
    """Return a PostgreSQL of this test's own, which may be restarted."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL here (no initdb); Debian: apt-get install postgresql")
    server = Server(binaries)
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def resting(database: Server, tmp_path: Path) -> Iterator[Fleet]:
    """Return a fleet of which nothing is running yet."""
    url = database.make_database()
    with ExitStack() as stack:
        made = tmp_path / "certs"
        assert main(["fleet", "certs", str(made), "--host", "localhost,127.0.0.1"]) == 0
        certificates = made / "hosts" / "localhost"
        yield Fleet(tmp_path, create_store(url), url, certificates, stack)


@pytest.fixture
def fleet(resting: Fleet) -> Fleet:
    """Return a fleet whose scheduler and three hosts are running."""
    resting.start_scheduler()
    for name in ("h1", "h2", "h3"):
        resting.start_worker(name)
    resting.poll(lambda: all(f"as {name}" in resting.logs() for name in ("h1", "h2", "h3")))
    return resting


def test_a_host_is_calibrated_without_being_asked(resting: Fleet) -> None:
    """As soon as it is in the fleet; the next scheduler plans nothing more that day."""
    resting.start_scheduler("168h")
    resting.start_worker("h1")
    resting.poll(lambda: any(row.state == "leased" for row in resting.jobs()))
    resting.running["scheduler"].kill()
    resting.running["scheduler"].wait()
    resting.start_scheduler("168h")
    resting.poll(lambda: resting.hosts()["h1"]["measures"] == "calibration")
    (row,) = resting.jobs()
    assert row.requirement["hosts"] == ["h1"]
    assert resting.log("scheduler").read_text().count("planned for h1") == 1


@pytest.mark.timeout(1500)
def test_every_result_is_there_once_whatever_goes_down(fleet: Fleet, database: Server) -> None:
    """A host is killed while it measures, then the database, then the scheduler."""
    run = fleet.submit("run", *OPERATORS, *SMALL, "-k", "direction=forward", "--on", "tag=tests")
    comparison = fleet.submit(
        "ab", "--a", ".", "--b", "OMP_WAIT_POLICY=passive", *SMALL, "-k", "name=Exp"
    )

    lost = kill_while_measuring(fleet)
    fleet.poll(lambda: any(row.id == lost.id and row.reason for row in fleet.jobs()))
    database.stop()
    time.sleep(3)
    database.start()
    fleet.running["scheduler"].kill()
    fleet.running["scheduler"].wait()
    fleet.start_scheduler()

    rows = json.loads(fleet.ask("fleet", "wait", run, "--format", "json", "--quiet"))
    assert Counter(row["operator"] for row in rows) == Counter(OPERATORS)
    assert not {row["status"] for row in rows} & set(TROUBLE)
    fleet.poll(lambda: all(row.state in ENDED for row in fleet.jobs()))
    assert {row.state: row.reason for row in fleet.jobs()}.keys() == {"done"}
    assert len(fleet.jobs()) == len(OPERATORS) + 1
    with fleet.store.reading() as connection:
        counting = select(schema.series.c.operator, func.count()).join(schema.result)
        counting = counting.where(schema.result.c.status != SUPERSEDED)
        counts = dict(connection.execute(counting.group_by(schema.series.c.operator)).all())
    assert counts == dict.fromkeys(OPERATORS, 1)
    again = next(row for row in fleet.jobs() if row.id == lost.id)
    assert again.attempt >= 2
    assert f"attempt {lost.attempt} on {lost.host}: the connection to the host was lost" in (
        again.reason
    )
    wanted = {name: "away" if name == lost.host else "ready" for name in ("h1", "h2", "h3")}
    fleet.poll(lambda: {name: one["state"] for name, one in fleet.hosts().items()} == wanted)
    fleet.start_worker("old", version="0.0.9 (opperf.result/4)")
    assert fleet.running["old"].wait(PATIENCE) == 2
    assert "opperf 0.0.9 (opperf.result/4), and the fleet has" in fleet.log("old").read_text()
    code = next(row.exit_code for row in fleet.jobs() if row.submission == comparison)
    assert "Exp" in fleet.ask("fleet", "wait", comparison, "--quiet", code=code)


def kill_while_measuring(fleet: Fleet) -> Any:
    """Kill a host that has a job, and return the job's row: a stopped host ends none meanwhile."""
    while True:
        fleet.poll(lambda: any(row.state == "leased" for row in fleet.jobs()))
        for row in fleet.jobs():
            if row.state != "leased":
                continue
            worker = fleet.running[row.host]
            worker.send_signal(signal.SIGSTOP)
            if any((one.id, one.state) == (row.id, "leased") for one in fleet.jobs()):
                worker.send_signal(signal.SIGKILL)
                return row
            worker.send_signal(signal.SIGCONT)
