"""What there is in a store, at a glance: its runs, and the changes that somebody acknowledged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from opperf.history.model import Acknowledgment
from opperf.storing.database import schema
from opperf.storing.database.cells import rows

if TYPE_CHECKING:
    from sqlalchemy import Connection


class StoredRun(NamedTuple):
    """A run by its name, and what changes whenever a result of it comes."""

    name: str
    stamp: str


def stored_runs(connection: Connection) -> list[StoredRun]:
    """Return all runs that have a result, oldest first."""
    table, result = schema.run.c, schema.result.c
    query = (
        select(
            table.name, table.started_at, func.count(result.id).label("n"),
            func.max(result.id).label("last"),
        )
        .join(schema.result, result.run_id == table.id)
        .group_by(table.id)
        .order_by(table.started_at, table.id)
    )  # fmt: skip
    return [
        StoredRun(row.name, f"{row.started_at} {row.n} {row.last}")
        for row in rows(connection, query)
    ]


def acknowledgments(connection: Connection) -> dict[str, list[tuple[int, Acknowledgment]]]:
    """Return the acknowledged changes by the names of their series, each with its time."""
    table, series = schema.acknowledgment.c, schema.series.c
    query = (
        select(series.digest, table.changed_at, table.until, table.note)
        .join(schema.series, series.id == table.series_id)
        .order_by(series.digest, table.changed_at)
    )
    found: dict[str, list[tuple[int, Acknowledgment]]] = {}
    for row in rows(connection, query):
        known = Acknowledgment(until=row.until, note=row.note)
        found.setdefault(row.digest.hex(), []).append((row.changed_at, known))
    return found
