"""What the newest results of a store show that those before them did not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import select

from opperf.core.results.status import TROUBLE
from opperf.history.analysis import judgeable, new_changes
from opperf.history.detection import may_have_splits
from opperf.history.model import TIME, Failure, FoundChange, History, Move
from opperf.storing.database import schema
from opperf.storing.database.cells import leaving_out, rows
from opperf.storing.database.chunks import chunks
from opperf.storing.database.histories import (
    explain,
    points_of,
    spans_of,
    subject_of,
)
from opperf.storing.database.hosts import hosts_of
from opperf.storing.database.medians import medians_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from opperf.history.host import MeasuredHost
    from opperf.history.model import Change, HistoryMetric, Point, SeriesSubject
    from opperf.storing.database.medians import Medians
    from opperf.storing.database.metrics import MetricValues

BEFORE = 100
"""Sessions before the new ones in which a change may show that they make certain."""


@dataclass(frozen=True, kw_only=True)
class News:
    """The changes, failures and moves since a time, and how many series had results since."""

    changes: tuple[FoundChange, ...]
    failures: tuple[Failure, ...]
    moves: tuple[Move, ...]
    series: int


def find_news(connection: Connection, series: Sequence[Row[Any]], since: int) -> News:
    """Return what is new about series since a time, in milliseconds since 1970."""
    spans = spans_of(connection, [row.id for row in series])
    arrived = arrived_since(spans, since)
    suspects = find_suspects(medians_of(connection, arrived, since, BEFORE))
    return News(
        changes=tuple(find_changes(connection, suspects, since)),
        failures=tuple(find_failures(connection, arrived, since)),
        moves=tuple(find_moves(series, spans, since, named_hosts(connection, series))),
        series=len(arrived),
    )


def arrivals(connection: Connection, series: Sequence[Row[Any]], since: int) -> list[int]:
    """Return the series that have results from a time on."""
    return arrived_since(spans_of(connection, [row.id for row in series]), since)


def arrived_since(spans: Mapping[int, tuple[int, int]], since: int) -> list[int]:
    """Return those of the series that have results from a time on."""
    return [number for number, (_, last) in spans.items() if last >= since]


def metric_news(connection: Connection, values: MetricValues, since: int) -> News:
    """Return the new changes of a metric other than the time, in series with values since then."""
    arrived = {
        number: points
        for number, points in values.points.items()
        if any(point.value is not None and point.at >= since for point in points)
    }
    changes = {number: new_changes(judgeable(one), since) for number, one in arrived.items()}
    found = describe(connection, changes, arrived, values.metric)
    return News(changes=tuple(found), failures=(), moves=(), series=len(arrived))


def find_suspects(medians: Iterable[Medians]) -> list[int]:
    """Return the series in which a fast look leaves a change possible."""
    by_length: dict[int, list[Medians]] = {}
    for one in medians:
        by_length.setdefault(len(one.seconds), []).append(one)
    suspects: list[int] = []
    for group in by_length.values():
        suspicious = may_have_splits(np.stack([one.seconds for one in group]))
        suspects += [one.series for one, is_one in zip(group, suspicious, strict=True) if is_one]
    return sorted(suspects)


def find_changes(connection: Connection, series: Sequence[int], since: int) -> list[FoundChange]:
    """Return the new changes of series, as their whole histories show them, the largest first."""
    changes = {
        one.series: new_changes(one.points(), since) for one in medians_of(connection, series)
    }
    changed = [number for number, found in changes.items() if found]
    return describe(connection, changes, points_of(connection, changed), TIME)


def describe(
    connection: Connection,
    changes: Mapping[int, Sequence[Change]],
    points: Mapping[int, Sequence[Point]],
    metric: HistoryMetric,
) -> list[FoundChange]:
    """Return the changes of each series with its history and what differs, the largest first."""
    found = []
    hosts = hosts_of(connection) if points else {}
    for number in (number for number in points if changes[number]):
        for subject in subjects_of(connection, number, hosts):
            history = History(subject=subject, points=tuple(points[number]), metric=metric)
            told = (explain(connection, number, change, metric) for change in changes[number])
            found += [FoundChange(history=history, change=change) for change in told]
    return sorted(found, key=lambda one: one.change.ratio, reverse=True)


def find_failures(connection: Connection, series: Sequence[int], since: int) -> list[Failure]:
    """Return the series whose newest result has no time because something failed."""
    table = schema.result.c
    failing: list[int] = []
    for chunk in chunks(series):
        query = select(table.series_id).where(
            table.series_id.in_(chunk),
            table.started_at >= since,
            table.median.is_(None),
            table.status.in_(TROUBLE),
        )
        failing += [row.series_id for row in rows(connection, query.distinct())]
    found = []
    hosts = hosts_of(connection) if failing else {}
    for number, points in points_of(connection, failing).items():
        newest, timed = points[-1], [point for point in points if point.value is not None]
        if newest.status in TROUBLE and timed:
            found += [
                Failure(subject=subject, at=newest.at, status=newest.status, last=timed[-1])
                for subject in subjects_of(connection, number, hosts)
            ]
    return found


def named_hosts(connection: Connection, series: Sequence[Row[Any]]) -> frozenset[str]:
    """Return the machines whose hosts have names; nothing is asked of a store of one machine."""
    if len({row.machine_key for row in series}) < 2:  # noqa: PLR2004 - one follows the other
        return frozenset()
    return frozenset(key for key, host in hosts_of(connection).items() if host.name)


def find_moves(
    series: Sequence[Row[Any]],
    spans: Mapping[int, tuple[int, int]],
    since: int,
    exempt: Collection[str],
) -> list[Move]:
    """Return from which machine to which others went on with the same subjects.

    Hosts that have names measure beside each other, and none goes on where another ended.
    """
    by_subject: dict[bytes, list[Row[Any]]] = {}
    for row in series:
        if row.id in spans:
            by_subject.setdefault(bytes(row.subject), []).append(row)
    moves: Counter[tuple[str, str]] = Counter()
    begun: dict[tuple[str, str], int] = {}
    for group in by_subject.values():
        group.sort(key=lambda row: spans[row.id][0])
        for before, after in pairwise(group):
            first = spans[after.id][0]
            if first >= since and spans[before.id][1] < first:
                machines = before.machine_key, after.machine_key
                if machines[0] != machines[1] and not {*machines} <= {*exempt}:
                    moves[machines] += 1
                    begun[machines] = min(first, begun.get(machines, first))
    return [
        Move(at=begun[machines], before=machines[0], after=machines[1], series=count)
        for machines, count in moves.items()
    ]


def subjects_of(
    connection: Connection, series: int, hosts: Mapping[str, MeasuredHost]
) -> Iterator[SeriesSubject]:
    """Yield what a series measures, nothing where its row is damaged."""
    for row in rows(connection, select(schema.series).where(schema.series.c.id == series)):
        with leaving_out(connection, f"series {series}"):
            yield subject_of(row, hosts)
