"""A job ends exactly once, whoever dies and whoever comes back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from opperf.fleet.jobs.leases import (
    MOST_ATTEMPTS,
    Lease,
    cancel_jobs,
    due_jobs,
    end_lease,
    fail_lease,
    release_host,
    release_lease,
    release_overdue,
    take_lease,
)
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.storing.database.connection import Database
    from tests.fleet.conftest import Plan


def take(store: Database, number: int, host: str = "h1") -> Lease | None:
    """Take a lease in a transaction of its own, as a host does."""
    with changing(store) as connection:
        return take_lease(connection, number, host, FLEET_VERSION)


def test_a_job_is_leased_to_one_of_many_that_want_it(store: Database, plan: Plan) -> None:
    """Dask may hand a job to two hosts; the row goes to one."""
    numbers = [plan() for _ in range(5)]
    with ThreadPoolExecutor(8) as pool:
        wanted = [(number, f"h{host}") for number in numbers for host in range(8)]
        found = [*pool.map(lambda one: take(store, *one), wanted)]
    assert sorted(lease.job for lease in found if lease is not None) == numbers


def test_who_was_taken_for_dead_cannot_end_the_job(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """Its attempt's number is no longer the row's."""
    number = plan()
    first = take(store, number, "h1")
    with changing(store) as connection:
        assert release_host(connection, "h1", "the connection was lost")
    second = take(store, number, "h2")
    assert first is not None
    assert second is not None
    with changing(store) as connection:
        assert not end_lease(connection, number, first.attempt, 0, "run-of-h1")
        assert not release_lease(connection, number, first.attempt, "late")
        assert end_lease(connection, number, second.attempt, 0, "run-of-h2")
        assert not end_lease(connection, number, second.attempt, 0, "once more")
    row = row_of(number)
    assert (row.state, row.run_name, row.attempt) == ("done", "run-of-h2", 2)
    assert row.reason == "attempt 1 on h1: the connection was lost"


def test_a_deadline_passes_by_the_databases_clock(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """No host's clock is asked: a lease of no time is over in the next transaction."""
    over, going_on = plan(seconds=0.0), plan(seconds=3600.0)
    assert take(store, over)
    assert take(store, going_on)
    with changing(store) as connection:
        assert release_overdue(connection)
    with changing(store) as connection:
        assert not release_overdue(connection)
    assert (row_of(over).state, row_of(going_on).state) == ("planned", "leased")


def test_results_count_after_the_deadline_while_nobody_else_has_the_job(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """A host whose database was away brings them late."""
    number = plan(seconds=0.0)
    lease = take(store, number)
    assert lease is not None
    with changing(store) as connection:
        assert end_lease(connection, number, lease.attempt, 0, "run")
        assert not release_overdue(connection)
    assert row_of(number).state == "done"


def test_attempts_are_bounded_and_each_leaves_its_reason(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """A job that brings hosts down does not bring down all of them."""
    number = plan()
    for attempt in range(1, MOST_ATTEMPTS + 1):
        lease = take(store, number, f"h{attempt}")
        assert lease is not None
        with changing(store) as connection:
            assert release_lease(connection, number, lease.attempt, "out of memory")
    row = row_of(number)
    assert row.state == "failed"
    assert row.ended_at is not None
    assert row.reason.split("; ") == [
        f"attempt {attempt} on h{attempt}: out of memory" for attempt in (1, 2, 3)
    ]
    assert take(store, number) is None


def test_what_cannot_be_carried_out_is_not_tried_again(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """An unknown operator is unknown everywhere."""
    number = plan()
    lease = take(store, number)
    assert lease is not None
    with changing(store) as connection:
        assert fail_lease(connection, number, lease.attempt, 2, "unknown operator")
    assert (row_of(number).state, row_of(number).exit_code) == ("failed", 2)


def test_cancelled_jobs_are_neither_taken_nor_ended(
    store: Database, plan: Plan, row_of: Callable[[int], Any]
) -> None:
    """What is being measured when it is cancelled is not stored."""
    waiting, measured = plan(), plan()
    lease = take(store, measured)
    assert lease is not None
    with changing(store) as connection:
        assert cancel_jobs(connection, "s1") == 2
        assert cancel_jobs(connection, "s1") == 0
        assert not end_lease(connection, measured, lease.attempt, 0, "run")
    assert take(store, waiting) is None
    assert {row_of(waiting).state, row_of(measured).state} == {"cancelled"}


def test_another_version_gets_no_job(store: Database, plan: Plan) -> None:
    """Neither a host of another opperf, nor one that reads a submission of another."""
    number = plan()
    with changing(store) as connection:
        assert take_lease(connection, number, "h1", "0.0.1") is None
        connection.execute(update(submission).values(version="0.0.1"))
    assert take(store, number) is None


def test_due_are_planned_jobs_that_were_not_handed_out(store: Database, plan: Plan) -> None:
    """In the order of planning."""
    numbers = [plan() for _ in range(4)]
    take(store, numbers[0])
    with changing(store) as connection:
        due = due_jobs(connection, [numbers[1]], most=10)
        assert [row.id for row in due] == numbers[2:]
        assert [row.id for row in due_jobs(connection, [], most=1)] == [numbers[1]]
