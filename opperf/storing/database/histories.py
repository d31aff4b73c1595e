"""Reading series, their points and their notes from a store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from opperf.core.results.circumstances import marks
from opperf.core.results.older_names import IMPORTED, OLDER_NAMES, spellings
from opperf.core.results.reading import from_mapping
from opperf.history.analysis import analyze, clip, with_predecessors
from opperf.history.differences import differences
from opperf.history.model import (
    TIME,
    Acknowledgment,
    Annotation,
    Change,
    History,
    HistoryMetric,
    Point,
    SeriesSubject,
)
from opperf.storing.database import schema
from opperf.storing.database.cells import is_whole_number, leaving_out, rows
from opperf.storing.database.chunks import chunks
from opperf.storing.database.hosts import hosts_of
from opperf.storing.database.importing import SUPERSEDED, stored_lines, whole_line
from opperf.storing.database.numbering import storable
from opperf.storing.document import parse
from opperf.storing.reading import parse_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from opperf.history.host import MeasuredHost
    from opperf.storing.database.metrics import MetricValues

NEAR = 7 * 24 * 3600 * 1000
"""Milliseconds by which an acknowledged change may have moved."""


def choose_series(
    connection: Connection,
    matches: Callable[[Mapping[str, str | None]], bool],
    machine: str | None,
    machines: Collection[str] | None = None,
) -> list[Row[Any]]:
    """Return the series whose facts match, on the machine whose key begins so, one of these."""
    names = ("operator", "category", "framework", "dtype", "size", "direction", "device")
    table = schema.series.c
    columns = [table[name] for name in names]
    query = select(table.id, table.subject, table.machine_key, *columns).order_by(table.id)
    found = []
    for row in rows(connection, query):
        facts = {name: getattr(row, name) for name in names} | {"name": row.operator}
        is_there = machines is None or row.machine_key in machines
        if matches(facts) and is_there and row.machine_key.startswith(machine or ""):
            found.append(row)
    return found


def operator_names(connection: Connection) -> list[str]:
    """Return the names of all operators in the store, as they are today."""
    table = schema.series.c
    own = select(table.operator).where(table.category != IMPORTED).distinct()
    names = {OLDER_NAMES.get(row.operator, row.operator) for row in rows(connection, own)}
    imported = select(table.operator).where(table.category == IMPORTED).distinct()
    return [*names, *(row.operator for row in rows(connection, imported))]


def histories(
    connection: Connection,
    series: Sequence[int],
    since: int | None = None,
    values: MetricValues | None = None,
) -> list[History]:
    """Return the histories of series, those of one subject beside each other by their beginning.

    With `since`, what is shown begins there; what is a change is judged by the whole series.
    They are of the times, or of another metric's values: only those then that have any.
    """
    table = schema.series.c
    groups: dict[bytes, list[History]] = {}
    metric = values.metric if values else TIME
    hosts = hosts_of(connection)
    points = values.points if values else points_of(connection, series)
    query = select(schema.series).where(table.id.in_(series)).order_by(table.id)
    for row in rows(connection, query):
        with leaving_out(connection, f"series {row.id}"):
            history = clip(
                analyze(subject_of(row, hosts), points.get(row.id, ()), metric), since or 0
            )
            if history.with_value if values else history.points:
                history = with_annotations(connection, row.id, history)
                groups.setdefault(bytes(row.subject), []).append(history)
    return [history for group in groups.values() for history in with_predecessors(group)]


def points_of(connection: Connection, series: Sequence[int]) -> dict[int, list[Point]]:
    """Return the points of each series in time order."""
    table, run = schema.result.c, schema.run.c
    columns = (
        *(table.id, table.series_id),
        table.started_at.label("at"),
        table.median.label("value"),
        *(table.low, table.high, table.n, table.status, table.session),
        run.name.label("run"),
    )
    query = select(*columns).join(schema.run, run.id == table.run_id)
    query = query.where(table.status != SUPERSEDED).order_by(table.started_at, table.id)
    points: dict[int, list[Point]] = {}
    for chunk in chunks(series):
        for row in rows(connection, query.where(table.series_id.in_(chunk))):
            fields = row._asdict()
            del fields["id"]
            points.setdefault(fields.pop("series_id"), []).append(Point(**fields))
    return points


def with_annotations(connection: Connection, series: int, history: History) -> History:
    """Return the history with all that the store knows of its changes."""
    changes = tuple(
        explain(connection, series, change, history.metric) for change in history.changes
    )
    return replace(
        history, changes=changes, annotations=notes_of(connection, history.subject.operator)
    )


def explain(
    connection: Connection, series: int, change: Change, metric: HistoryMetric = TIME
) -> Change:
    """Return a change with the environments' differences and its acknowledgment.

    What somebody acknowledged is a change of the time, and of no other metric.
    """
    facts = (environment_at(connection, series, at) for at in (change.last_before, change.at))
    return replace(
        change,
        differences=differences(*facts),
        acknowledgment=acknowledgment(connection, series, change) if metric == TIME else None,
    )


def environment_at(connection: Connection, series: int, at: int) -> Mapping[str, Any]:
    """Return the environment of a series' result from this time; nothing where it is damaged."""
    table = schema.result.c
    query = stored_lines().where(
        table.series_id == series, table.started_at == at, table.median.is_not(None)
    )
    for row in rows(connection, query.limit(1)):
        with leaving_out(connection, f"a result of series {series}"):
            return parse_line(whole_line(row)).environment
    return {}


def acknowledgment(connection: Connection, series: int, change: Change) -> Acknowledgment | None:
    """Return the acknowledgment of a change near this one, or None."""
    table = schema.acknowledgment.c
    low, high = change.at - NEAR, change.at + NEAR
    query = select(table.changed_at, table.until, table.note).where(
        table.series_id == series, table.changed_at.between(low, high)
    )
    found = [*rows(connection, query)]
    if not found:
        return None
    nearest = min(found, key=lambda row: abs(row.changed_at - change.at))
    return Acknowledgment(until=nearest.until, note=nearest.note)


def notes_of(connection: Connection, operator: str) -> tuple[Annotation, ...]:
    """Return the notes about an operator, and those about all operators."""
    table = schema.annotation.c
    query = select(table.id, table.at, table.note).where(
        table.operator.in_(["", *map(storable, spellings(operator))])
    )
    found = rows(connection, query.order_by(table.at))
    return tuple(Annotation(at=row.at, note=row.note) for row in found)


def subject_of(row: Row[Any], hosts: Mapping[str, MeasuredHost]) -> SeriesSubject:
    """Return what a series measures, as its first result says it, and on which of the hosts."""
    body = parse(row.template)
    record = from_mapping({**body, "environment": {}} if isinstance(body, dict) else body)
    return SeriesSubject(
        name=row.digest.hex(),
        operator=record.operator.name,
        category=row.category,
        framework=row.framework,
        direction=row.direction,
        device=row.device,
        size=row.size,
        inputs=record.inputs,
        attributes=dict(record.attributes),
        series_key=row.series_key,
        definition_key=row.definition_key,
        machine_key=row.machine_key,
        cpu=row.cpu,
        marks=tuple(marks(record.operator)),
        host=hosts.get(row.machine_key),
    )


def spans_of(connection: Connection, series: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return when the first and the last result of each series began."""
    table = schema.result.c
    ends = [
        select(function(table.started_at)).where(
            table.series_id == schema.series.c.id, is_whole_number(table.started_at)
        )
        for function in (func.min, func.max)
    ]
    first, last = (end.scalar_subquery() for end in ends)
    spans: dict[int, tuple[int, int]] = {}
    query = select(schema.series.c.id, first.label("first"), last.label("last"))
    for chunk in chunks(series):
        for row in rows(connection, query.where(schema.series.c.id.in_(chunk))):
            if row.first is not None:
                spans[row.id] = row.first, row.last
    return spans
