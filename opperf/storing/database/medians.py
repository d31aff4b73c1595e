"""The medians of many series at once, from the index alone, whatever else the store holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import func, select

from opperf.history.model import Point
from opperf.storing.database import schema
from opperf.storing.database.cells import tuples
from opperf.storing.database.chunks import chunks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from opperf.core.tensors.tensor import Array


@dataclass(frozen=True)
class Medians:
    """The sessions of a series that have a time, in time order: milliseconds and seconds."""

    series: int
    moments: Array
    seconds: Array

    def points(self) -> list[Point]:
        """Return them with their time and nothing else."""
        pairs = zip(self.moments.tolist(), self.seconds.tolist(), strict=True)
        return [Point(at=at, value=seconds) for at, seconds in pairs]


def medians_of(
    connection: Connection, series: Sequence[int], since: int = 0, before: int | None = None
) -> Iterator[Medians]:
    """Yield the sessions of each series, all of them or from `before` many before a time on."""
    table = schema.result.c
    query = (
        select(table.id, table.series_id, table.started_at, table.median)
        .join(schema.series, schema.series.c.id == table.series_id)
        .where(table.median > 0)
        .order_by(table.series_id, table.started_at)
    )
    if before is None:
        query = query.order_by(table.id)
    else:
        query = query.where(table.started_at >= func.coalesce(first_of(since, before), 0))
    for chunk in chunks(series):
        if found := tuples(connection, query.where(schema.series.c.id.in_(chunk))):
            _, *cells = zip(*found, strict=True)
            numbers, *columns = map(np.array, cells)
            starts = np.flatnonzero(np.diff(numbers, prepend=-1))
            parts = (np.split(column, starts[1:]) for column in columns)
            yield from map(Medians, numbers[starts].tolist(), *parts)


def first_of(since: int, before: int) -> Any:
    """Return a query for when a series' session began that is so many before a time."""
    older = schema.result.alias().c
    return (
        select(older.started_at)
        .where(older.series_id == schema.series.c.id, older.started_at < since)
        .order_by(older.started_at.desc())
        .offset(before - 1)
        .limit(1)
        .scalar_subquery()
    )
