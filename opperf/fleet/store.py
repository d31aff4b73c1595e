"""The store of a fleet: on PostgreSQL, with a transaction for each change of a row."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.core.results.identity import SCHEMA
from opperf.core.version import VERSION
from opperf.storing.stores import open_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database

FLEET_VERSION = f"{VERSION} ({SCHEMA})"
"""What the hosts of a submission must have in common: the code that measures, and the record."""


def open_fleet_store(address: str) -> Database:
    """Return the store at an address.

    Raises:
        UsageError: There is none, or it is a file, which only one machine may write.
    """
    store = open_at(address)
    if store.is_sqlite:
        raise UsageError(
            f"{store.name} is a file of SQLite, which one machine writes; a fleet needs "
            "PostgreSQL: --store postgresql://user@host/database"
        )
    return store


@contextmanager
def changing(store: Database) -> Iterator[Connection]:
    """Give a connection for a change of a few rows, stored at the end or not at all.

    The lock of those who write results is not taken: rows are locked one by one.
    """
    from opperf.storing.database.faults import translate

    with translate(store.name), store.engine.begin() as connection:
        yield connection
