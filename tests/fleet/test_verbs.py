"""What other verbs than `run` have a fleet do: submitted, measured on a host, and shown."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from opperf.cli import main
from opperf.fleet.client.progress import list_jobs, read_results
from opperf.fleet.jobs.leases import cancel_jobs, end_lease, fail_lease, take_lease
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.host import Host
from opperf.fleet.worker.spool import HostSpool
from opperf.storing.database.fleet_tables import job, submission
from tests.fleet.conftest import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.core.results.result import Result
    from opperf.storing.database.connection import Database

PATIENCE = 120.0
TASKS = """\
[speed]
patterns = ['Speed: (\\d+[.]\\d+)']
metrics = ['speed']
compute_method = ['last']
command_to_execute = python -c "print('Speed: 12.5')"
num_gpus = 1
[failing]
patterns = ['Speed: (\\d+)']
metrics = ['speed']
compute_method = ['last']
command_to_execute = python -c "import sys; print('last words'); sys.exit(3)"
num_gpus = 1
"""
FACTS = facts_of("h1", frameworks={"numpy": "1.26.4", "pytorch": "2.3"})


@dataclass
class SmallFleet:
    """A scheduler, and a host without a connection: what it is to measure, the test hands it."""

    address: str
    store: Database
    folder: Path

    @property
    def flags(self) -> list[str]:
        """Where the fleet and its rows are."""
        url = self.store.url.render_as_string(hide_password=False)
        return ["--store", url]

    def submit(self, capsys: pytest.CaptureFixture[str], *words: str) -> str:
        """Return the name of a submission."""
        assert main([*words, "--fleet", self.address, *self.flags, "--detach"]) == 0
        return capsys.readouterr().out.strip()

    def jobs(self, name: str) -> list[Any]:
        """Return the jobs of a submission."""
        with self.store.reading() as connection:
            return [*list_jobs(connection, name)]

    def measure(self, name: str, *numbers: int) -> list[str]:
        """Have the host carry out these jobs or all of a submission, and return what it says."""
        said: list[str] = []
        host = Host(FACTS, self.store, HostSpool(self.folder / "h1"), None, said.append)
        for number in numbers or [row.id for row in self.jobs(name)]:
            asyncio.run(host.carry_out(number))
        return said

    def results(self, name: str) -> list[Result]:
        """Return what the store has of a submission."""
        with self.store.reading() as connection:
            found = read_results(connection, list_jobs(connection, name))
        return [result for several in found.values() for result in several]


@pytest.fixture
def fleet(
    store: Database, add_host: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SmallFleet]:
    """Return a fleet of one host."""
    monkeypatch.chdir(tmp_path)
    add_host("h1", frameworks=FACTS["frameworks"])
    log = tmp_path / "scheduler.log"
    url = store.url.render_as_string(hide_password=False)
    words = ["--listen", "tcp://127.0.0.1:0", "--calibrate", "no", "--store", url]
    command = [sys.executable, "-m", "opperf", "fleet", "scheduler", *words]
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        try:
            yield SmallFleet(address_in(log), store, tmp_path / "spool")
        finally:
            process.kill()


def address_in(log: Path) -> str:
    """Return where a scheduler listens, as soon as it says so."""
    deadline = time.monotonic() + PATIENCE
    while not (found := re.search(r"schedules at (\S+)", log.read_text())):
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
    return found[1]


def test_a_network_is_timed_on_a_host(
    fleet: SmallFleet, capsys: pytest.CaptureFixture[str]
) -> None:
    """One job for each network; its record is that of `opperf model`, with the host in it."""
    words = ("deep_mnist", "--framework", "pytorch", "--batch-size", "2", "--budget", "0.1s")
    name = fleet.submit(capsys, "model", *words, "--forward_only", "--tag", "t")
    (row,) = fleet.jobs(name)
    assert (row.title, row.requirement["frameworks"]) == ("deep_mnist", ["pytorch"])
    said = fleet.measure(name)
    assert [row.state for row in fleet.jobs(name)] == ["done"], said
    (result,) = fleet.results(name)
    assert (result.operator.name, result.operator.direction) == ("deep_mnist", "forward")
    assert result.summary.median > 0
    assert {"t", f"fleet={name}", "host=h1"} <= {*result.tags}
    assert main(["fleet", "wait", name, *fleet.flags, "--quiet"]) == 0
    assert "phase" in capsys.readouterr().out


def test_a_task_finds_its_file_on_the_host(
    fleet: SmallFleet, capsys: pytest.CaptureFixture[str]
) -> None:
    """The section comes with the job; what its command says is in the log."""
    (fleet.folder.parent / "tasks.cfg").write_text(TASKS)
    name = fleet.submit(capsys, "task", "speed", "--config", "tasks.cfg", "--tag", "t")
    failing = fleet.submit(capsys, "task", "failing", "--config", "tasks.cfg")
    (fleet.folder.parent / "tasks.cfg").unlink()
    said = [*fleet.measure(name), *fleet.measure(failing)]
    assert [row.state for row in [*fleet.jobs(name), *fleet.jobs(failing)]] == ["done"] * 2, said
    (result,) = fleet.results(name)
    assert {one.name: one.value for one in result.metrics}["speed"] == 12.5
    assert {"t", f"fleet={name}", "host=h1"} <= {*result.tags}
    assert main(["fleet", "wait", name, *fleet.flags, "--quiet"]) == 0
    assert re.search(r"speed +12\.5", capsys.readouterr().out)
    assert main(["fleet", "wait", failing, *fleet.flags, "--quiet"]) not in {0, 2}
    assert "failing: " in capsys.readouterr().err
    assert main(["fleet", "logs", failing, *fleet.flags]) == 0
    assert "last words" in capsys.readouterr().out


def test_what_failed_or_was_cancelled_is_planned_again(
    fleet: SmallFleet, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is done stays, with its results; a job without a host says why."""
    words = ("Exp", "Add", "Abs", "Sin", "--framework", "numpy", "--size", "small", "--quick")
    name = fleet.submit(capsys, "run", *words, "-k", "direction=forward")
    first, second, third, fourth = fleet.jobs(name)
    fleet.measure(name, first.id)
    with changing(fleet.store) as connection:
        lease = take_lease(connection, second.id, "h1", FLEET_VERSION)
        assert lease is not None
        fail_lease(connection, second.id, 1, 2, "it was refused")
        set_requirement(connection, fourth.id, HostRequirement(on=(("cpu", "Xeon*"),)))
        cancel_jobs(connection, name)

    assert fleet.submit(capsys, "resume", name) == name
    again = {row.title: row for row in fleet.jobs(name)}
    states = {title: row.state for title, row in again.items()}
    assert states == {
        first.title: "done", second.title: "planned", third.title: "planned",
        fourth.title: "cancelled",
    }  # fmt: skip
    assert again[second.title].reason == "attempt 1 on h1: it was refused"
    assert again[second.title].id != second.id
    with changing(fleet.store) as connection:
        assert not end_lease(connection, second.id, 1, 0, None), "an earlier attempt ended it"
    fleet.measure(name, again[second.title].id, again[third.title].id)
    assert {one.operator.name for one in fleet.results(name)} == {
        first.title, second.title, third.title,
    }  # fmt: skip
    assert main(["resume", name, "--fleet", fleet.address, *fleet.flags]) == 2
    said = capsys.readouterr().err
    reason = "no host fits: h1 lacks cpu=Xeon*"
    assert f"job {fourth.id} ({fourth.title}) stays cancelled: {reason}" in said
    assert f"nothing of {name} could be planned again" in said


def test_what_is_resumed_must_be_there_and_of_this_version(
    fleet: SmallFleet, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the names that there are, and the command that begins anew."""
    words = ["run", "Exp", "--framework", "numpy", "--size", "small"]
    name = fleet.submit(capsys, *words)
    with changing(fleet.store) as connection:
        cancel_jobs(connection, name)
        connection.execute(update(submission).values(version="0.0.9"))
    resume = ["--fleet", fleet.address, *fleet.flags]
    assert main(["resume", "nothing", *resume]) == 2
    assert f"unknown submission 'nothing'; the newest are {name}" in capsys.readouterr().err
    assert main(["resume", name, *resume]) == 2
    assert f"{name} is of opperf 0.0.9" in (said := capsys.readouterr().err)
    assert "submit anew: opperf run Exp --framework numpy" in said
    assert [row.state for row in fleet.jobs(name)] == ["cancelled"]


def set_requirement(connection: Connection, number: int, requirement: HostRequirement) -> None:
    """Have a job ask for something else."""
    values = {"requirement": requirement.to_mapping()}
    connection.execute(update(job).where(job.c.id == number).values(values))
