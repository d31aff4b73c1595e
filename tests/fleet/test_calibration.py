"""Every host measures the calibration set once in a period, whoever plans it and how often."""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timezone
from threading import Barrier
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sqlalchemy import select, update

from opperf.cli import main
from opperf.core.calibration import CALIBRATION
from opperf.fleet.client.overview import read_overview
from opperf.fleet.client.progress import find_submission, list_jobs, read_results
from opperf.fleet.hosts.rows import AWAY, QUARANTINED, READY, REFUSED, set_state
from opperf.fleet.jobs.calibration import OVERTAKEN, plan_calibrations
from opperf.fleet.jobs.leases import due_jobs, early_jobs, end_lease, take_lease
from opperf.fleet.store import FLEET_VERSION, changing, open_fleet_store
from opperf.fleet.worker.host import Host
from opperf.fleet.worker.spool import HostSpool
from opperf.storing.database.fleet_tables import host, submission
from tests.fleet.conftest import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database
    from tests.fleet.conftest import Plan

WEEK = 7 * 86400.0
"""A period that no test lives to see the end of, but once in a week."""
SECOND = 1.0


def change_state(store: Database, name: str, state: str) -> None:
    """Write how a host is."""
    with changing(store) as connection:
        set_state(connection, name, state)


def plan_in_next_period(store: Database, before: str) -> tuple[str, list[str]]:
    """Return what is planned as soon as another period of a second has begun."""
    while True:
        name, hosts = plan_calibrations(store, SECOND)
        if name != before and hosts:
            return name, hosts


def test_each_ready_host_has_one_job(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """The others have none, and planning it again changes nothing, not even by another process."""
    for name in ("h1", "h2", "away", "noisy", "old", "refused"):
        add_host(name, frameworks={"numpy": "1.26.4", "pytorch": "2.3"})
    for name, state in (("away", AWAY), ("noisy", QUARANTINED), ("refused", REFUSED)):
        change_state(store, name, state)
    with changing(store) as connection:
        connection.execute(update(host).where(host.c.name == "old").values(version="0.0.9"))

    name, hosts = plan_calibrations(store, WEEK)
    assert hosts == ["h1", "h2"]
    assert plan_calibrations(store, WEEK) == (name, [])
    url = store.url.render_as_string(hide_password=False)
    assert plan_calibrations(open_fleet_store(url), WEEK) == (name, [])
    found = list_jobs(rows, name)
    assert [row.requirement["hosts"] for row in found] == [["h1"], ["h2"]]
    words = ["-k", "tag=calibration", "--size=small", "--framework=numpy,pytorch"]
    assert found[0].words == ["run", *words, "--tag=calibration", "--quiet"]


def test_a_fleet_without_ready_hosts_has_no_calibration(store: Database, rows: Connection) -> None:
    """Not even an empty one."""
    plan_calibrations(store, WEEK)
    assert rows.execute(select(submission)).all() == []


def test_several_schedulers_plan_it_once(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """All of them at the same moment."""
    names = {f"h{one}" for one in range(20)}
    for name in names:
        add_host(name)
    url = store.url.render_as_string(hide_password=False)
    begin = Barrier(8)

    def plan_together(_: int) -> tuple[str, list[str]]:
        own = open_fleet_store(url)
        begin.wait(60)
        return plan_calibrations(own, WEEK)

    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(plan_together, range(8))]
    assert sum(len(hosts) for _, hosts in found) == len(names)
    planned = [row.requirement["hosts"][0] for row in list_jobs(rows, found[0][0])]
    assert Counter(planned) == Counter(names)


@pytest.mark.parametrize("state", [AWAY, QUARANTINED])
def test_a_host_gets_it_when_it_is_back(
    store: Database, add_host: Callable[..., None], state: str
) -> None:
    """Away or too noisy, it is asked for nothing."""
    add_host("h1")
    change_state(store, "h1", state)
    assert plan_calibrations(store, WEEK)[1] == []
    change_state(store, "h1", READY)
    assert plan_calibrations(store, WEEK)[1] == ["h1"]


def test_what_is_left_of_a_period_is_cancelled(
    store: Database, add_host: Callable[..., None], plan: Plan, rows: Connection, row_of: Any
) -> None:
    """A host that was away for a week owes one calibration; users' jobs stay."""
    add_host("h1")
    add_host("h2")
    users = plan()
    before, _ = plan_calibrations(store, SECOND)
    first, second = list_jobs(rows, before)
    with changing(store) as connection:
        take_lease(connection, first.id, "h1", FLEET_VERSION)
    after, hosts = plan_in_next_period(store, before)
    assert hosts == ["h1", "h2"]
    assert row_of(first.id).state == "leased"
    assert (row_of(second.id).state, row_of(second.id).reason) == ("cancelled", OVERTAKEN)
    assert [row.state for row in list_jobs(rows, after)] == ["planned", "planned"]
    assert row_of(users).state == "planned"


def test_a_fleet_that_is_upgraded_goes_on(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """A job of the day, planned by an older opperf, may be measured by the newer one."""
    add_host("h1")
    name, _ = plan_calibrations(store, WEEK)
    with changing(store) as connection:
        connection.execute(update(submission).values(version="0.0.9"))
    assert plan_calibrations(store, WEEK) == (name, [])
    (row,) = list_jobs(rows, name)
    with changing(store) as connection:
        assert take_lease(connection, row.id, "h1", FLEET_VERSION) is not None


def test_calibrations_do_not_wait_for_a_long_submission(
    store: Database, add_host: Callable[..., None], plan: Plan, rows: Connection
) -> None:
    """They are handed out first; there is one for each host."""
    users = [plan() for _ in range(5)]
    add_host("h1")
    name, _ = plan_calibrations(store, WEEK)
    (row,) = list_jobs(rows, name)
    assert [one.id for one in early_jobs(rows, [], 3, name)] == [row.id]
    assert early_jobs(rows, [row.id], 9, name) == []
    assert [one.id for one in due_jobs(rows, [], 3, beside=name)] == users[:3]
    assert [one.id for one in due_jobs(rows, [], 9)] == [*users, row.id]


def test_last_is_what_somebody_asked_for(
    store: Database, add_host: Callable[..., None], plan: Plan, rows: Connection
) -> None:
    """A calibration of this night is found by its name."""
    plan()
    add_host("h1")
    name, _ = plan_calibrations(store, WEEK)
    assert find_submission(rows, "last") == "s1"
    assert find_submission(rows, "calibration") == name


def test_status_says_when_a_host_was_calibrated(
    store: Database,
    add_host: Callable[..., None],
    rows: Connection,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Only where it was done."""
    add_host("h1")
    add_host("h2")
    name, _ = plan_calibrations(store, WEEK)
    row, _ = list_jobs(rows, name)
    with changing(store) as connection:
        take_lease(connection, row.id, "h1", FLEET_VERSION)
        end_lease(connection, row.id, 1, 0, None)
    ended = list_jobs(rows, name)[0].ended_at
    found = {one["host"]: one["calibrated_at"] for one in read_overview(rows, 1).hosts}
    assert found == {"h1": ended.isoformat(), "h2": None}
    assert (
        main(["fleet", "status", "--store", store.url.render_as_string(hide_password=False)]) == 0
    )
    out = capsys.readouterr().out
    assert f"{ended.astimezone(timezone.utc):%m-%d}" in out
    assert "never" in out


def test_a_host_measures_the_set(
    store: Database, add_host: Callable[..., None], rows: Connection, tmp_path: Path
) -> None:
    """All twenty operators, at their small size, by results that say so."""
    facts = facts_of("h1", frameworks={"numpy": np.__version__})
    add_host("h1", frameworks=facts["frameworks"])
    name, _ = plan_calibrations(store, WEEK)
    (row,) = list_jobs(rows, name)
    said: list[str] = []
    measuring = Host(facts, store, HostSpool(tmp_path / "h1"), None, said.append)
    asyncio.run(measuring.carry_out(row.id))
    jobs = list_jobs(rows, name)
    assert [one.state for one in jobs] == ["done"], said
    with store.reading() as connection:
        results = read_results(connection, jobs)[row.id]
    assert {one.operator.name for one in results} == CALIBRATION
    assert {one.operator.size for one in results} == {"small"}
    tags = {"calibration", f"fleet={name}", "host=h1"}
    assert all(tags <= {*one.tags} for one in results)
