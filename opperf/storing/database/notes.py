"""What people add to a store: baselines, acknowledged changes, annotations."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from opperf.core.errors import UsageError
from opperf.core.moments import compact
from opperf.core.results.older_names import spellings
from opperf.history.analysis import find_changes
from opperf.history.model import NAME
from opperf.storing.database import schema
from opperf.storing.database.cells import rows
from opperf.storing.database.histories import points_of
from opperf.storing.database.numbering import storable
from opperf.storing.database.sealing import insert_sealed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

DAY = 24 * 60 * 60 * 1000
"""In milliseconds."""


def set_baseline(connection: Connection, name: str, run: int, note: str | None) -> None:
    """Let a name stand for a run, whichever it stood for before."""
    connection.execute(delete(schema.baseline).where(schema.baseline.c.name == storable(name)))
    set_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    values = {"name": storable(name), "run_id": run, "set_at": set_at, "note": storable(note)}
    insert_sealed(connection, schema.baseline, values)


def list_baselines(connection: Connection) -> list[Row[Any]]:
    """Return the baselines with their runs."""
    table = schema.baseline.c
    query = (
        select(table.name, schema.run.c.name.label("run"), table.run_id, table.set_at, table.note)
        .join(schema.run, schema.run.c.id == table.run_id)
        .order_by(table.name)
    )
    return [*rows(connection, query)]


def find_baseline(connection: Connection, name: str) -> int:
    """Return the number of the run of a baseline.

    Raises:
        UsageError: There is no such baseline.
    """
    baselines = list_baselines(connection)
    for row in baselines:
        if row.name == storable(name):
            return int(row.run_id)
    names = ", ".join(row.name for row in baselines) or "none"
    raise UsageError(f"unknown baseline {name!r}; there are: {names}; `opperf baseline set RUN`")


def acknowledge(
    connection: Connection, series: int, changed_at: int, until: int, note: str | None
) -> None:
    """Acknowledge a change of a series until a date."""
    acknowledgment = schema.acknowledgment
    same = (acknowledgment.c.series_id == series, acknowledgment.c.changed_at == changed_at)
    connection.execute(delete(acknowledgment).where(*same))
    values = {"series_id": series, "changed_at": changed_at, "until": until, "note": storable(note)}
    insert_sealed(connection, acknowledgment, values)


def find_change(connection: Connection, name: str) -> tuple[int, int]:
    """Return the number of the series and the time of a change, by the change's name.

    Raises:
        UsageError: No series has such a change.
    """
    stem, _, moment = name.partition("-")
    table = schema.series.c
    for row in rows(connection, select(table.id, table.digest)):
        if len(stem) == NAME and row.digest.hex().startswith(stem):
            timed = [p for p in points_of(connection, [row.id]).get(row.id, ()) if p.value]
            for change in find_changes(timed):
                if compact(change.at) == moment:
                    return row.id, change.at
    raise UsageError(f"unknown change {name!r}; `opperf changes` and `opperf history` name them")


def annotate(connection: Connection, at: int, note: str, operator: str = "") -> None:
    """Add a note of a time, to one operator or to all."""
    values = {"at": at, "operator": storable(operator), "note": storable(note)}
    insert_sealed(connection, schema.annotation, values)


def remove_annotations(connection: Connection, at: int, note: str, operator: str = "") -> int:
    """Remove the notes of a day (UTC) with these words, and return how many there were.

    Raises:
        UsageError: There is none.
    """
    table = schema.annotation
    begin = at - at % DAY
    same = (
        table.c.at.between(begin, begin + DAY - 1),
        table.c.note == storable(note),
        table.c.operator.in_([*map(storable, spellings(operator))]),
    )
    count = connection.execute(delete(table).where(*same)).rowcount
    if not count:
        raise UsageError(f"no note {note[:60]!r} on that day; `opperf history` shows the notes")
    return count
