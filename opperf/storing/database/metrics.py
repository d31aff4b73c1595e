"""The values that stored results have of a metric other than the time, which has a column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.results.metrics import QUANTITIES, metrics_of
from opperf.history.model import HistoryMetric, Point
from opperf.storing.database import schema
from opperf.storing.database.cells import leaving_out, rows
from opperf.storing.database.chunks import chunks
from opperf.storing.database.importing import SUPERSEDED, stored_lines, whole_line
from opperf.storing.reading import parse_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from opperf.core.results.quantity import MetricRecord

LINES = 1000
"""Rows that are fetched together."""


@dataclass
class MetricValues:
    """The points of series by a metric; their `value` is None where a result has none.

    `names` are the metrics that any of the results has, `reasons` why some have no value of this.
    """

    metric: HistoryMetric
    points: dict[int, list[Point]] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)

    def every(self, since: int) -> list[Point]:
        """Return the points of all series from a time on."""
        return [one for points in self.points.values() for one in points if one.at >= since]

    def add(self, series: int, row: Row[Any], metrics: dict[str, MetricRecord]) -> None:
        """Add a result with all metrics that it has."""
        self.names |= dict.fromkeys(metrics)
        record = metrics.get(self.metric.name)
        if record is not None and record.reason:
            self.reasons[record.reason] = None
        known = record is not None and record.value is not None and self.is_of(record)
        low, high = record.interval or (None, None) if record and known else (None, None)
        point = Point(
            at=row.at, value=record.value if record and known else None, low=low, high=high,
            status=row.status, session=row.session, run=row.run,
        )  # fmt: skip
        self.points.setdefault(series, []).append(point)

    def is_of(self, record: MetricRecord) -> bool:
        """Return whether a value is in the unit of the others, which the first one decides."""
        if not self.metric.unit:
            self.metric = HistoryMetric(name=record.name, unit=record.unit, better=record.better)
        return record.unit == self.metric.unit


def values_of(connection: Connection, series: Sequence[int], name: str) -> MetricValues:
    """Return the values of a metric in each series in time order, from the results' own lines.

    A result without a sound time has no value: what failed or was wrong tells nothing of the work.
    """
    quantity = QUANTITIES.get(name)
    unit, better = (quantity.unit, quantity.better) if quantity else ("", None)
    values = MetricValues(HistoryMetric(name=name, unit=unit, better=better))
    table, run = schema.result.c, schema.run.c
    query = (
        stored_lines()
        .add_columns(
            *(table.id, table.series_id, table.started_at.label("at"), table.median),
            *(table.status, table.session, run.name.label("run")),
        )
        .join(schema.run, run.id == table.run_id)
        .where(table.status != SUPERSEDED)
        .order_by(table.started_at, table.id)
    )
    query = query.execution_options(yield_per=LINES)
    for chunk in chunks(series):
        for row in rows(connection, query.where(table.series_id.in_(chunk))):
            with leaving_out(connection, f"result {row.id}"):
                result = None if row.median is None else parse_line(whole_line(row))
                values.add(row.series_id, row, metrics_of(result) if result else {})
    return values
