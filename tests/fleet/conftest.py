"""A store on a PostgreSQL of the tests' own, and rows of a fleet in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from opperf.fleet.hosts.rows import READY, write_host
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.fleet_tables import job, submission
from tests.storing.database.conftest import Server, server

__all__ = ["server"]
Plan = Callable[..., int]


@pytest.fixture
def store(server: Server) -> Database:
    """Return an empty store."""
    return create_store(server.make_database())


@pytest.fixture
def rows(store: Database) -> Iterator[Connection]:
    """Return a connection that sees what others have stored, as each statement begins."""
    with store.engine.connect() as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


@pytest.fixture
def plan(store: Database) -> Plan:
    """Return a function that plans a job and returns its number."""
    with changing(store) as connection:
        values = {"id": "s1", "command": "opperf run", "version": FLEET_VERSION}
        connection.execute(insert(submission).values(values))

    def plan_job(seconds: float = 600.0, words: tuple[str, ...] = ("run", "Exp")) -> int:
        values = {
            "submission": "s1", "title": "Exp", "words": list(words),
            "requirement": HostRequirement().to_mapping(), "lease_seconds": seconds,
        }  # fmt: skip
        with changing(store) as connection:
            return int(connection.scalar(insert(job).values(values).returning(job.c.id)))

    return plan_job


@pytest.fixture
def row_of(rows: Connection) -> Callable[[int], Any]:
    """Return a function that reads a job's row."""
    return lambda number: rows.execute(select(job).where(job.c.id == number)).one()


def facts_of(name: str, **different: Any) -> dict[str, Any]:
    """Return a host's facts."""
    return {
        "host": name, "kind": "k1", "cpu": "AMD EPYC 9654", "cores": 4, "isa": ["avx2"], "gpu": [],
        "memory_bytes": 2**34, "os": "Debian", "frameworks": {"numpy": "1.26.4"}, "tag": ["lab"],
        **different,
    }  # fmt: skip


@pytest.fixture
def add_host(store: Database) -> Callable[..., None]:
    """Return a function that adds a host that is ready."""

    def add(name: str, **different: Any) -> None:
        with changing(store) as connection:
            write_host(connection, facts_of(name, **different), READY)

    return add
