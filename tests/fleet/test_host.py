"""A host that cannot measure goes, and its jobs stay."""

from __future__ import annotations

import asyncio
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import pytest

from opperf.fleet.hosts import examination
from opperf.fleet.hosts.rows import QUARANTINED, READY, list_hosts
from opperf.fleet.store import changing
from opperf.fleet.worker.host import Host
from opperf.fleet.worker.process import JobProcess
from opperf.fleet.worker.spool import HostSpool
from tests.fleet.conftest import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from opperf.storing.database.connection import Database
    from tests.fleet.conftest import Plan


class BrokenProcess(JobProcess):
    """Starts nothing."""

    def run(
        self, command: Sequence[str], folder: Path, environ: Mapping[str, str], seconds: float
    ) -> int | None:
        """Fail as no program of opperf would."""
        raise RuntimeError(command[0], folder, len(environ), seconds)


@pytest.fixture
def host(store: Database, tmp_path: Path, add_host: Callable[..., None]) -> Host:
    """Return a host that is in the fleet."""
    add_host("h1")
    spool = HostSpool(tmp_path / "spool" / "h1")
    return Host(facts_of("h1"), store, spool, None, lambda _: None)


def state_of(store: Database) -> tuple[str, str]:
    """Return how the host is, and why."""
    with changing(store) as connection:
        (row,) = list_hosts(connection)
    return row.state, row.reason


@pytest.mark.timeout(600)
def test_a_noisy_host_is_quarantined_until_it_is_quiet(
    host: Host, store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what `opperf doctor` finds, which is never that two processes take the same time."""
    monkeypatch.setattr(examination, "BUDGET", "1s")
    host.most_noise = 1e-9
    assert not asyncio.run(host.enter())
    state, reason = state_of(store)
    assert state == QUARANTINED
    assert reason.startswith(("preemption: ", "noise floor: "))
    assert reason.endswith("; at most 0.0% is allowed")
    host.most_noise = None
    assert asyncio.run(host.enter())
    assert state_of(store) == (READY, "")


def test_a_host_without_a_framework_is_quarantined(host: Host, store: Database) -> None:
    """It says what to install; who ends the worker meanwhile has found nothing."""
    host.facts = facts_of("h1", frameworks={})
    host.process.stopping = True
    assert not asyncio.run(host.enter())
    assert state_of(store) == (READY, "")
    host.process.stopping = False
    assert not asyncio.run(host.enter())
    remedy = "no framework is installed here: pip install 'opperf[pytorch]'"
    assert state_of(store) == (QUARANTINED, remedy)


def test_a_host_without_its_spool_leaves_before_it_takes_a_job(
    host: Host, store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """Somebody has cleaned up; other hosts measure the job."""
    number = plan()
    rmtree(host.spool.folder)
    asyncio.run(host.carry_out(number))
    assert host.changed.is_set()
    state, reason = state_of(store)
    assert state == QUARANTINED
    assert "No such file" in reason
    assert (row_of(number).state, row_of(number).attempt) == ("planned", 0)


def test_a_host_that_fails_for_no_known_reason_gives_its_job_back(
    host: Host, store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """And says what it was; it takes no other job."""
    first, second = plan(), plan()
    host.process = BrokenProcess()
    asyncio.run(host.carry_out(first))
    asyncio.run(host.carry_out(second))
    assert state_of(store)[0] == QUARANTINED
    assert "RuntimeError" in state_of(store)[1]
    assert (row_of(first).state, row_of(first).attempt) == ("planned", 1)
    assert (row_of(second).state, row_of(second).attempt) == ("planned", 0)


def test_a_log_that_cannot_be_written_keeps_no_host_in_the_fleet(
    host: Host, store: Database, plan: Plan
) -> None:
    """The disk that is full is the log's as well."""

    def refuse(line: str) -> None:
        raise OSError(28, "No space left on device", line)

    host.tell = refuse
    host.process = BrokenProcess()
    asyncio.run(host.carry_out(plan()))
    assert host.changed.is_set()
    assert state_of(store)[0] == QUARANTINED
