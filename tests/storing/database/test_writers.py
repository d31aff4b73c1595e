"""Who may write a store on PostgreSQL beside whom, and that nothing comes of it twice."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Connection, func, select, text

from opperf.storing.database import schema
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.importing import Importer
from opperf.storing.database.line import take_apart
from opperf.storing.database.verifying import verify
from opperf.storing.errors import BusyStoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result
    from tests.storing.database.conftest import Server

PATIENCE = 120.0
HOSTS = 4


@pytest.fixture
def store(server: Server) -> Database:
    """Return an empty store."""
    return create_store(server.make_database(), patience=PATIENCE)


def impatient(store: Database) -> Database:
    """Return the same store as somebody opens it who waits for nobody."""
    return Database(store.url.render_as_string(hide_password=False), patience=0.2)


def add(connection: Connection, *results: Result) -> None:
    """Store results."""
    Importer(connection).add([take_apart(f"{one.to_json()}\n".encode()) for one in results])


def sizes(store: Database) -> dict[str, int]:
    """Return how many rows the tables of shared rows and of results have."""
    tables = (schema.run, schema.series, schema.template, schema.environment, schema.result)
    with store.reading() as connection:
        return {
            table.name.removeprefix("opperf_"): connection.scalar(
                select(func.count()).select_from(table)
            )
            or 0
            for table in tables
        }


def test_nobody_waits_for_who_adds_other_rows(
    store: Database, make_result: Callable[..., Result]
) -> None:
    """A second one stores all of it while the first has not ended."""
    with store.writing() as connection:
        add(connection, make_result(run_id="earlier"))
    with store.adding() as first, impatient(store).adding() as second:
        add(first, make_result(run_id="a", environment={"load": 1}))
        add(second, make_result(run_id="b", environment={"load": 2}))
    assert sizes(store) == {"run": 3, "series": 1, "template": 1, "environment": 3, "result": 3}
    assert verify(store) == 3


def test_who_adds_the_same_row_waits_for_the_first(
    store: Database, make_result: Callable[..., Result]
) -> None:
    """All hosts begin with the same new series: it is stored once, and each has its own result."""
    with store.adding() as first:
        add(first, make_result(run_id="first"))
        others = [
            threading.Thread(target=add_later, args=(store, make_result(run_id=f"r{number}")))
            for number in range(HOSTS)
        ]
        for other in others:
            other.start()
        while waiting(store) < HOSTS:
            assert all(other.is_alive() for other in others)
    for other in others:
        other.join(PATIENCE)
    found = {"run": 1 + HOSTS, "series": 1, "template": 1, "environment": 1, "result": 1 + HOSTS}
    assert sizes(store) == found
    assert verify(store) == 1 + HOSTS


def add_later(store: Database, result: Result) -> None:
    """Store a result beside others."""
    with store.adding() as connection:
        add(connection, result)


def waiting(store: Database) -> int:
    """Return how many transactions wait for a row of another one."""
    query = text("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
    with store.outside_transactions() as connection:
        return connection.scalar(query) or 0


def test_the_same_run_twice_at_once_is_stored_once(
    store: Database, make_result: Callable[..., Result]
) -> None:
    """Its second copy is looked up once the first is there."""
    result = make_result()
    with store.adding() as first:
        add(first, result)
        other = threading.Thread(target=add_later, args=(store, result))
        other.start()
        while waiting(store) < 1:
            assert other.is_alive()
    other.join(PATIENCE)
    assert sizes(store)["result"] == 1
    assert verify(store) == 1


def test_who_changes_rows_has_the_store_alone(
    store: Database, make_result: Callable[..., Result]
) -> None:
    """Removing what nobody needs takes nothing away that somebody is about to refer to."""
    with store.adding() as first:
        add(first, make_result())
        with pytest.raises(BusyStoreError, match="is being written by another process"), \
                impatient(store).writing():  # fmt: skip
            pass
    with store.writing():
        with pytest.raises(BusyStoreError), impatient(store).adding():
            pass
        with pytest.raises(BusyStoreError), impatient(store).writing():
            pass


def test_who_adds_nothing_leaves_nothing(
    store: Database, make_result: Callable[..., Result]
) -> None:
    """What was begun and given up is not there, and whoever waited for it makes its rows anew."""
    other = threading.Thread(target=add_later, args=(store, make_result(run_id="other")))
    with store.adding() as first:
        add(first, make_result(run_id="first"))
        other.start()
        while waiting(store) < 1:
            assert other.is_alive()
        first.rollback()
    other.join(PATIENCE)
    assert sizes(store) == {"run": 1, "series": 1, "template": 1, "environment": 1, "result": 1}
    assert verify(store) == 1
