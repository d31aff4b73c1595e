"""Whether a store holds what was put into it, down to the single bit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, select

from opperf.core.errors import UsageError
from opperf.storing.database import schema
from opperf.storing.database.cells import Cells, rows
from opperf.storing.database.importing import SUPERSEDED, stored_lines, whole_line
from opperf.storing.database.line import Line, take_apart
from opperf.storing.database.reading import CHUNK
from opperf.storing.database.sealing import NAME, SEALED, cells_of, checksum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Table

    from opperf.storing.database.connection import Database

CHANGED = "its checksum is another one's: it was changed on the disk"
SHOWN = 200
"""Characters of what SQLite says."""
MOST_NAMED = 100
"""Damaged rows that are named before the rest is counted."""


@dataclass
class Findings:
    """How many results are whole, and what is wrong with which rows."""

    results: int = 0
    damaged: list[str] = field(default_factory=list)


def verify(database: Database, tell: Callable[[str], None] = lambda _: None) -> int:
    """Return how many results the store holds, once each of its rows was read and checked.

    Args:
        database: The store.
        tell: Is called with what is wrong with a row, for each that is damaged.

    Raises:
        UsageError: The database, or one of the rows, is damaged; names the first.
    """
    found = examine(database)
    for row in found.damaged[:MOST_NAMED]:
        tell(row)
    if found.damaged:
        rest = f" (and {len(found.damaged) - 1} more)" if found.damaged[1:] else ""
        raise UsageError(
            f"store {database.name} is damaged: {found.damaged[0]}{rest}; {found.results} results "
            "are whole: put a copy back, or `opperf db merge` them into a new store"
        )
    return found.results


def examine(database: Database) -> Findings:
    """Return what is wrong with a store, row by row.

    Raises:
        UsageError: The database itself is damaged, so that its rows cannot be read.
    """
    found = Findings()
    with database.reading() as connection:
        if database.is_sqlite:
            check_file(connection, database.name)
            check_tables(connection, database.name)
            found.damaged += orphans(connection)
        for table in SEALED:
            found.damaged += damaged_rows(connection, table)
        named = {name.partition(":")[0] for name in found.damaged}
        query = stored_lines().add_columns(
            *(column for column in schema.result.c if column.name not in {"key", "line"}),
            schema.series.c.digest.label("series"),
            schema.environment.c.digest.label("shared"),
        )
        for row in rows(connection.execution_options(yield_per=CHUNK), query):
            name, fault = f"{schema.result.name} {row.id}", fault_of(row)
            found.results += fault is None and name not in named
            if fault and name not in named:
                found.damaged.append(f"{name}: {fault}")
    return found


def check_file(connection: Connection, name: str) -> None:
    """Refuse a SQLite file that SQLite itself calls damaged."""
    (found,) = connection.exec_driver_sql("PRAGMA integrity_check(1)").one()
    if found != "ok":
        raise UsageError(f"store {name} is damaged: {' '.join(str(found).split())[:SHOWN]}")


def check_tables(connection: Connection, name: str) -> None:
    """Refuse a SQLite file whose tables are no longer those that were made."""
    engine = create_engine("sqlite://")
    schema.METADATA.create_all(engine)
    with engine.connect() as fresh:
        for table in schema.METADATA.sorted_tables:
            if columns_of(connection, table) != columns_of(fresh, table):
                raise UsageError(f"store {name} is damaged: {table.name} has other columns")
    engine.dispose()


def columns_of(connection: Connection, table: Table) -> list[tuple[Any, ...]]:
    """Return name, type, nullability and key of each column, as SQLite has them."""
    found = connection.exec_driver_sql(f"PRAGMA table_info({table.name})").all()
    return [(name, kind, needed, key) for _, name, kind, needed, _, key in found]


def orphans(connection: Connection) -> Iterator[str]:
    """Yield the rows that refer to a row that is not there."""
    for table, number, other, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"{table} {number}: it refers to a row of {other} that is not there"


def damaged_rows(connection: Connection, table: Table) -> Iterator[str]:
    """Yield each row with a cell that cannot be there, or with another one's checksum."""
    (key,), columns = table.primary_key, [*cells_of(table), table.c[NAME]]
    cells = Cells.of([key, *columns])
    query = select(key, *columns)
    for row in connection.execution_options(yield_per=CHUNK).execute(query):
        fault = cells.fault(row)
        if fault is None and checksum(row[1:-1]) != row[-1]:
            fault = CHANGED
        if fault:
            yield f"{table.name} {row[0]}: {fault}"


def fault_of(row: Any) -> str | None:
    """Return what is wrong with a result that can be read; None where nothing is."""
    try:
        line = take_apart(whole_line(row))
    except UsageError as error:
        return str(error)
    if (line.key, line.series, line.shared) != (row.key, row.series, row.shared):
        return "it is another one's"
    return None if is_said_by(line, row) else "its columns do not say what its line does"


def is_said_by(line: Line, row: Any) -> bool:
    """Return whether a row's columns say what its line does, or that a later result counts."""
    kept = (row.started_at, row.session) == line.columns[:2]
    if row.status == SUPERSEDED:
        return kept and (row.median, row.low, row.high, row.n) == (None,) * 4
    return kept and (row.status, row.median, row.low, row.high, row.n) == line.columns[2:]
