"""The numbered steps from an empty database to the schema of this version.

A step that was released is never changed; what comes later is a further step. All steps of one
migration are one transaction, so that a process that dies on the way leaves the version before.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from sqlalchemy import insert

from opperf.core.version import VERSION
from opperf.storing.database import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection


def add_results(connection: Connection) -> None:
    """1: runs, environments, series and results."""
    tables = [
        schema.migration, schema.template, schema.environment, schema.run, schema.series,
        schema.result,
    ]  # fmt: skip
    schema.METADATA.create_all(connection, tables=tables, checkfirst=False)


def add_notes(connection: Connection) -> None:
    """2: baselines, acknowledged changes and annotations."""
    tables = [schema.baseline, schema.acknowledgment, schema.annotation]
    schema.METADATA.create_all(connection, tables=tables, checkfirst=False)


STEPS: tuple[Callable[[Connection], None], ...] = (add_results, add_notes)
NEWEST = len(STEPS)


def migrate(connection: Connection, version: int, newest: int = NEWEST) -> None:
    """Take the steps after `version`, within the connection's transaction."""
    for number, step in enumerate(STEPS[version:newest], start=version + 1):
        step(connection)
        applied_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        values = {"version": number, "applied_at": applied_at, "opperf_version": VERSION}
        connection.execute(insert(schema.migration).values(values))
