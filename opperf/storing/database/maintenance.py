"""Looking after a store: whether all of it can be read, and what nobody needs any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, select, update

from opperf.core.errors import UsageError
from opperf.storing.database import schema
from opperf.storing.database.importing import stored_lines, whole_line
from opperf.storing.database.line import encode, pack, take_apart
from opperf.storing.database.reading import CHUNK

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


def verify(database: Database) -> int:
    """Return how many results the store holds, once each of them was read and checked.

    Raises:
        UsageError: The database, or one of the results, is damaged.
    """
    with database.reading() as connection:
        if database.is_sqlite:
            check_file(connection, database.name)
        rows = stored_lines().add_columns(
            schema.result.c.id, schema.series.c.digest.label("series")
        )
        with connection.execution_options(yield_per=CHUNK).execute(rows) as found:
            return sum(check_row(row, database.name) for row in found)


def check_file(connection: Connection, name: str) -> None:
    """Refuse a SQLite file that SQLite itself calls damaged."""
    (found,) = connection.exec_driver_sql("PRAGMA integrity_check(1)").one()
    orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if found != "ok" or orphan:
        reason = f"a row of {orphan[0]} refers to none" if orphan else found
        raise UsageError(f"store {name} is damaged: {' '.join(str(reason).split())[:200]}")


def check_row(row: Any, name: str) -> int:
    """Return 1, or refuse a result that cannot be read, or is not the one that its row is for."""
    try:
        line = take_apart(whole_line(row))
    except UsageError as error:
        raise UsageError(f"store {name}: result number {row.id} is damaged: {error}") from error
    if line.key != row.key or line.series != row.series:
        raise UsageError(f"store {name}: result number {row.id} is another one's")
    return 1


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
    while rows := connection.execute(
        query.where(table.c.id > last).order_by(table.c.id).limit(CHUNK)
    ).all():
        for row in rows:
            count += remove_samples_of(connection, row)
        last = rows[-1].id
    return count


def remove_samples_of(connection: Connection, row: Any) -> bool:
    """Remove the samples of one result, where it has some."""
    line = take_apart(whole_line(row))
    body: dict[str, Any] = json.loads(line.body)
    if body["samples"] is None:
        return False
    packed = pack(encode({**body, "samples": None}), row.template)
    table = schema.result
    connection.execute(update(table).where(table.c.id == row.id).values(line=packed))
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
