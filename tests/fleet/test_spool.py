"""What a host found reaches the store with the end of its job, or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, text

from opperf.core.errors import UsageError
from opperf.fleet.client.progress import read_output
from opperf.fleet.jobs.leases import Lease, release_lease, take_lease
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.spool import HostSpool, SpoolEntry, sole_owner
from opperf.storing.database import schema
from opperf.storing.database.connection import Database
from opperf.storing.errors import BusyStoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.core.results.result import Result
    from tests.fleet.conftest import Plan

RUN = "20261123T120000-abcdef"


@pytest.fixture
def spool(tmp_path: Path) -> HostSpool:
    """Return an empty spool."""
    return HostSpool(tmp_path / "spool" / "h1")


@pytest.fixture
def measured(
    store: Database, plan: Plan, spool: HostSpool, make_result: Callable[..., Result]
) -> Callable[..., SpoolEntry]:
    """Return a function that leaves what a job's process leaves, with one result."""

    def leave(exit_code: int | None = 0, line: str | None = None) -> SpoolEntry:
        with changing(store) as connection:
            lease = take_lease(connection, plan(), "h1", FLEET_VERSION)
        assert lease is not None
        entry = spool.begin(lease)
        (entry.path / "log").write_text("opperf: something was said\n")
        folder = entry.runs / RUN
        folder.mkdir()
        (folder / "run.json").write_text(json.dumps({"run_id": RUN}))
        result = make_result().to_json() if line is None else line
        (folder / "results.jsonl").write_text(result + "\n")
        entry.note_outcome(exit_code)
        return entry

    return leave


def stored(rows: Connection) -> Any:
    """Return how many results the store has."""
    return rows.scalar(select(func.count()).select_from(schema.result))


def test_results_come_with_the_end_of_the_job(
    store: Database,
    spool: HostSpool,
    measured: Callable[..., SpoolEntry],
    rows: Connection,
    row_of: Any,
) -> None:
    """And with the log and the files of the run."""
    entry = measured()
    assert spool.store_all(store) == [f"job {entry.lease.job}, attempt 1: stored"]
    row = row_of(entry.lease.job)
    assert (row.state, row.exit_code, row.run_name, stored(rows)) == ("done", 0, RUN, 1)
    assert read_output(rows, row.id, "log") == b"opperf: something was said\n"
    assert not entry.path.exists()
    assert spool.store_all(store) == []


def test_of_a_lease_that_was_taken_over_nothing_is_stored(
    store: Database,
    spool: HostSpool,
    measured: Callable[..., SpoolEntry],
    rows: Connection,
    row_of: Any,
) -> None:
    """Its results would be a second measurement of the same job."""
    entry = measured()
    with changing(store) as connection:
        release_lease(connection, entry.lease.job, 1, "lost")
        take_lease(connection, entry.lease.job, "h2", FLEET_VERSION)
    assert "taken over" in spool.store_all(store)[0]
    row = row_of(entry.lease.job)
    assert (row.state, row.host, stored(rows)) == ("leased", "h2", 0)
    assert read_output(rows, row.id, "log") is None


@pytest.mark.parametrize(
    ("code", "state", "reason"),
    [
        (2, "failed", "attempt 1 on h1: opperf: something was said"),
        (1, "planned", "attempt 1 on h1: exit code 1: opperf: something was said"),
        (-9, "planned", "attempt 1 on h1: exit code -9: opperf: something was said"),
        (None, "planned", "attempt 1 on h1: it was ended: opperf: something was said"),
    ],
)
def test_what_was_not_measured_has_its_reason(  # noqa: PLR0913, PLR0917
    store: Database,
    spool: HostSpool,
    measured: Callable[..., SpoolEntry],
    row_of: Any,
    code: int | None,
    state: str,
    reason: str,
) -> None:
    """What would be refused again has failed; the rest is tried again."""
    entry = measured(code)
    spool.store_all(store)
    row = row_of(entry.lease.job)
    assert (row.state, row.reason) == (state, reason)


def test_what_a_killed_worker_left_is_given_back(
    store: Database, plan: Plan, spool: HostSpool, row_of: Any
) -> None:
    """There is no outcome: the process may have been anywhere."""
    with changing(store) as connection:
        lease = take_lease(connection, plan(), "h1", FLEET_VERSION)
    assert lease is not None
    spool.begin(lease)
    (spool.folder / "half-made").mkdir()
    spool.store_all(store)
    assert row_of(lease.job).state == "planned"
    assert not [*spool.folder.iterdir()]


def test_a_journal_that_the_store_refuses_holds_up_nothing(
    store: Database,
    spool: HostSpool,
    measured: Callable[..., SpoolEntry],
    rows: Connection,
    row_of: Any,
) -> None:
    """The job is tried again, and the next one is stored."""
    damaged, sound = measured(line='{"no": "result"}'), measured()
    said = spool.store_all(store)
    assert len(said) == 2
    assert row_of(damaged.lease.job).state == "planned"
    assert row_of(sound.lease.job).state == "done"
    assert stored(rows) == 1


def test_results_wait_while_others_write(
    store: Database,
    spool: HostSpool,
    measured: Callable[..., SpoolEntry],
    rows: Connection,
    row_of: Any,
) -> None:
    """A long import holds the writers' lock: nothing is given up for it."""
    entry = measured()
    impatient = Database(store.url.render_as_string(hide_password=False), patience=0.2)
    with store.writing(), pytest.raises(BusyStoreError):
        spool.store_all(impatient)
    assert entry.path.exists()
    assert row_of(entry.lease.job).state == "leased"
    spool.store_all(impatient)
    assert (row_of(entry.lease.job).state, stored(rows)) == ("done", 1)


def test_hosts_store_beside_each_other(
    store: Database, spool: HostSpool, measured: Callable[..., SpoolEntry], rows: Connection
) -> None:
    """Nobody waits for another host's end: not a moment is given for it here."""
    measured()
    impatient = Database(store.url.render_as_string(hide_password=False), patience=0.2)
    with store.adding():
        assert spool.store_all(impatient)[0].endswith("stored")
    assert stored(rows) == 1


def test_last_words_may_hold_anything(
    store: Database, spool: HostSpool, measured: Callable[..., SpoolEntry], row_of: Any
) -> None:
    """PostgreSQL stores no NUL in a text."""
    entry = measured(1)
    (entry.path / "log").write_bytes(b"died at \0\xff\n")
    spool.store_all(store)
    assert row_of(entry.lease.job).reason == (
        "attempt 1 on h1: exit code 1: died at \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    )


def test_a_kept_connection_is_replaced_when_it_is_lost(store: Database) -> None:
    """A server that was restarted has ended all of them."""
    own = text("SELECT pg_backend_pid()")
    with store.keeping_connection():
        with changing(store) as connection:
            first = connection.scalar(own)
        with changing(store) as connection:
            assert connection.scalar(own) == first
        with Database(store.url.render_as_string(hide_password=False)).reading() as connection:
            connection.execute(text("SELECT pg_terminate_backend(:one)"), {"one": first})
        with changing(store) as connection:
            assert connection.scalar(own) != first


def test_a_spool_has_one_worker(spool: HostSpool) -> None:
    """A second one of the same name would end the first one's jobs."""
    refused = pytest.raises(UsageError, match="another worker runs here as h1; give --name")
    with sole_owner(spool), refused, sole_owner(spool):
        pass
    with sole_owner(spool):
        pass


def test_a_lease_is_read_as_it_was_written(spool: HostSpool) -> None:
    """A worker that comes back knows what it had."""
    lease = Lease(7, 2, "s1", ("run", "-k", "name=Exp"), 600.0)
    spool.begin(lease)
    assert [entry.lease for entry in spool.entries()] == [lease]
