"""Looking after a store: removing what nobody needs any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, select

from opperf.storing.database import schema
from opperf.storing.database.cells import rows
from opperf.storing.database.importing import stored_lines, whole_line
from opperf.storing.database.line import encode, pack, take_apart
from opperf.storing.database.reading import CHUNK
from opperf.storing.database.sealing import update_sealed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from opperf.storing.database.connection import Database

SHARED: tuple[tuple[Table, tuple[Any, ...]], ...] = (
    (schema.series, (schema.result.c.series_id, schema.acknowledgment.c.series_id)),
    (schema.run, (schema.result.c.run_id, schema.baseline.c.run_id)),
    (schema.environment, (schema.result.c.environment_id,)),
    (schema.template, (schema.environment.c.template_id,)),
)
"""The tables whose rows others refer to, and by which columns."""


def remove_results(connection: Connection, before: int) -> int:
    """Remove results from before a time, but for those of baselines; return how many."""
    table = schema.result
    kept = select(schema.baseline.c.run_id)
    query = delete(table).where(table.c.started_at < before, table.c.run_id.not_in(kept))
    return connection.execute(query).rowcount


def remove_samples(connection: Connection, before: int) -> int:
    """Remove the raw samples, and nothing else, of results from before a time; return how many."""
    table = schema.result
    query = stored_lines().add_columns(table.c.id).where(table.c.started_at < before)
    count, last = 0, 0
    while found := [
        *rows(connection, query.where(table.c.id > last).order_by(table.c.id).limit(CHUNK))
    ]:
        for row in found:
            count += remove_samples_of(connection, row)
        last = found[-1].id
    return count


def remove_samples_of(connection: Connection, row: Any) -> bool:
    """Remove the samples of one result, where it has some."""
    line = take_apart(whole_line(row))
    body: dict[str, Any] = json.loads(line.body)
    if body["samples"] is None:
        return False
    packed = pack(encode({**body, "samples": None}), row.template)
    update_sealed(connection, schema.result, schema.result.c.id == row.id, {"line": packed})
    return True


def remove_unused(connection: Connection) -> int:
    """Remove shared rows that nothing refers to any more; return how many."""
    count = 0
    for table, columns in SHARED:
        unused = [~exists().where(column == table.c.id) for column in columns]
        count += connection.execute(delete(table).where(*unused)).rowcount
    return count


def compact(database: Database) -> None:
    """Give back to the disk what removed rows took."""
    tables = [f"VACUUM {table.name}" for table in schema.METADATA.sorted_tables]
    commands = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"] if database.is_sqlite else tables
    with database.outside_transactions() as connection:
        for command in commands:
            connection.exec_driver_sql(command)
