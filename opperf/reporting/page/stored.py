"""From a store's histories to those of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.moments import stamp
from opperf.reporting.charts import ChartChange, ChartPoint, HistoryChart
from opperf.reporting.wording import attributes_text, direction_text, inputs_text

if TYPE_CHECKING:
    from opperf.history import model

MOST_FACTS = 4
"""How many facts of the environment a change names."""


def chart_of(history: model.History) -> HistoryChart:
    """Return a history as the page draws it."""
    subject = history.subject
    given = inputs_text(subject.inputs), attributes_text(subject.attributes)
    return HistoryChart(
        operator=" ".join([subject.operator, *subject.marks]),
        framework=subject.framework,
        direction=direction_text(subject.direction),
        inputs=" ".join(filter(None, given)),
        points=[point_of(point) for point in history.points],
        changes=[change_of(change) for change in history.changes],
        gaps=[(stamp(gap.start), stamp(gap.end)) for gap in history.gaps],
        machine=subject.machine_key,
    )


def point_of(point: model.Point) -> ChartPoint:
    """Return a session; one without a time says how it ended."""
    bounds = (point.low, point.high)
    return ChartPoint(
        at=stamp(point.at),
        median=point.value,
        interval=None if None in bounds else bounds,  # type: ignore[arg-type]
        label=point.run if point.value is not None else point.status,
    )


def change_of(change: model.Change) -> ChartChange:
    """Return a change, with what else is not the same on its two sides."""
    facts = [f"{d.fact}: {d.before} -> {d.after}" for d in change.differences[:MOST_FACTS]]
    return ChartChange(
        at=stamp(change.at),
        ratio=change.ratio,
        cause="; ".join(facts),
        acknowledged=change.acknowledgment is not None,
    )
