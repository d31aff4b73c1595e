"""The numbered steps from an empty database to the schema of this version.

A step that was released is never changed; what comes later is a further step. All steps of one
migration are one transaction, so that a process that dies on the way leaves the version before.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, inspect, or_, select, update

from opperf.core.errors import UsageError
from opperf.core.statistics.plausible import LONGEST
from opperf.core.version import VERSION
from opperf.storing.database import fleet_tables, schema
from opperf.storing.database.importing import stored_lines, whole_line
from opperf.storing.database.line import take_apart
from opperf.storing.database.sealing import NAME, SEALED, seal_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

DOUBTFUL = 1e-6
"""Seconds: no loop costs as much, so a longer median is above its overhead."""


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


def mend_rows(connection: Connection) -> None:
    """3: a run began with its earliest result, and what is no time stands in no column.

    Earlier versions kept the time of a later result, and medians that were not above zero.
    """
    table = schema.result
    doubtful = or_(table.c.median < DOUBTFUL, table.c.median > LONGEST)
    found = connection.execute(stored_lines().add_columns(table.c.id).where(doubtful)).all()
    for row in found:
        with suppress(UsageError):  # a damaged line is `opperf db verify`'s to name
            _, _, status, *numbers, _ = take_apart(whole_line(row)).columns
            named = dict(zip(("median", "low", "high"), numbers, strict=True))
            mended = update(table).where(table.c.id == row.id).values(status=status, **named)
            connection.execute(mended)
    earliest = select(func.min(table.c.started_at)).where(table.c.run_id == schema.run.c.id)
    connection.execute(
        update(schema.run)
        .where(schema.run.c.id.in_(select(table.c.run_id)))
        .values(started_at=earliest.scalar_subquery())
    )


def seal_rows(connection: Connection) -> None:
    """4: a checksum in each row, so that what changes on the disk later is noticed."""
    for table in SEALED:
        if NAME not in {column["name"] for column in inspect(connection).get_columns(table.name)}:
            kind = table.c[NAME].type.compile(connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {NAME} {kind}")
        seal_all(connection, table)


def add_fleet(connection: Connection) -> None:
    """5: a fleet's hosts and jobs, where several machines may write: in PostgreSQL alone."""
    if connection.dialect.name == "postgresql":
        fleet_tables.METADATA.create_all(connection)


STEPS: tuple[Callable[[Connection], None], ...] = (
    add_results, add_notes, mend_rows, seal_rows, add_fleet,
)  # fmt: skip
NEWEST = len(STEPS)


def migrate(connection: Connection, version: int, newest: int = NEWEST) -> None:
    """Take the steps after `version`, within the connection's transaction."""
    for number, step in enumerate(STEPS[version:newest], start=version + 1):
        step(connection)
        applied_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        values = {"version": number, "applied_at": applied_at, "opperf_version": VERSION}
        connection.execute(insert(schema.migration).values(values))
