"""Getting runs and results out of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import case, func, select

from opperf.core.errors import UsageError
from opperf.core.results.superseding import attempts
from opperf.storing.database import schema
from opperf.storing.database.cells import is_whole_number, leaving_out, rows
from opperf.storing.database.importing import SUPERSEDED, stored_lines, whole_line
from opperf.storing.database.numbering import storable
from opperf.storing.reading import parse_line

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sqlalchemy import Connection, Row

    from opperf.core.results.result import Result

LAST = "last"
SHOWN = 5
CHUNK = 1000
"""Rows that are fetched together."""


def list_runs(connection: Connection) -> Sequence[Row[Any]]:
    """Return all runs with their number of results that count, oldest first."""
    table, result = schema.run.c, schema.result.c
    counting = case((result.status != SUPERSEDED, result.id))
    query = (
        select(table.id, table.name, table.started_at, func.count(counting).label("n"))
        .outerjoin(schema.result, schema.result.c.run_id == table.id)
        .group_by(table.id)
        .order_by(table.started_at, table.id)
    )
    return [*rows(connection, query)]


def find_run(connection: Connection, text: str) -> int:
    """Return the number of the run with this id, of the one that begins so, or of the last.

    Raises:
        UsageError: There is none, or there are several.
    """
    table = schema.run.c
    wanted = storable(text) or ""
    if text == LAST:
        newest = select(table.id).where(is_whole_number(table.started_at))
        newest = newest.order_by(table.started_at.desc(), table.id.desc()).limit(1)
        matches = list(rows(connection, newest.add_columns(table.name)))
    else:
        query = select(table.id, table.name).where(table.name.startswith(wanted, autoescape=True))
        matches = list(rows(connection, query.limit(SHOWN + 1)))
        matches = [row for row in matches if row.name == wanted] or matches
    if len(matches) == 1:
        return int(matches[0].id)
    if matches:
        names = ", ".join(row.name for row in matches[:SHOWN])
        raise UsageError(f"run {text!r} could be {names}; give more of the id")
    newest_names = select(table.name).order_by(table.started_at.desc()).limit(SHOWN)
    names = ", ".join(row.name for row in rows(connection, newest_names)) or "none"
    raise UsageError(f"unknown run {text!r} in the store; the newest are {names}")


def newest_run(connection: Connection) -> int:
    """Return when the newest run began, 0 where there is none."""
    began = schema.run.c.started_at
    return int(connection.scalar(select(func.max(began)).where(is_whole_number(began))) or 0)


def lines_of(connection: Connection) -> Generator[bytes]:
    """Yield all lines, in the order in which they were stored."""
    query = stored_lines().add_columns(schema.result.c.id).order_by(schema.result.c.id)
    for row in rows(connection.execution_options(yield_per=CHUNK), query):
        with leaving_out(connection, f"result {row.id}"):
            yield whole_line(row)


def read_run(connection: Connection, run: int) -> list[Result]:
    """Return the results of a run that count, each where the first one of its row stands."""
    table = schema.result.c
    query = stored_lines().add_columns(table.status).where(table.run_id == run).order_by(table.id)
    found: list[Result] = []
    aside: set[str] = set()
    everything = rows(connection.execution_options(yield_per=CHUNK), query)
    for number, row in enumerate(everything, start=1):
        with leaving_out(connection, f"result {number} of the run"):
            result = parse_line(whole_line(row))
            found.append(result)
            if row.status == SUPERSEDED:
                aside.add(result.result_id)
    return [one for row in attempts(found) for one in row if one.result_id not in aside]
