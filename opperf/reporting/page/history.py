"""The page of histories: medians over time with their intervals, changes and gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.version import VERSION
from opperf.reporting.page.columns import compact
from opperf.reporting.page.tiles import tile
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.reporting.charts import ChartChange, ChartPoint, HistoryChart


def history_page(histories: Sequence[HistoryChart], since: str) -> dict[str, Any]:
    """Return the data of the page of histories; those with a change that is news come first."""
    ordered = sorted(histories, key=lambda history: not news(history))
    changed = [history for history in histories if news(history)]
    slower = sum(change.ratio > 1 for history in changed for change in news(history))
    text = f"{len(changed)} of {len(histories)} series changed since {clean(since)}"
    gaps = sum(len(history.gaps) for history in histories)
    lacking = sum(point.median is None for history in histories for point in history.points)
    return {
        "title": f"opperf: history since {clean(since)}",
        "opperf": VERSION,
        "heading": f"History since {clean(since)}",
        "origin": "",
        "began": "",
        "banner": {"level": "bad" if slower else "warn" if changed else "good", "text": text},
        "tiles": [
            tile("series", f"{len(histories)}", ""),
            tile("changes to slower", f"{slower}", "bad" if slower else ""),
            tile("gaps", f"{gaps}", "warn" if gaps else ""),
            tile("sessions without a time", f"{lacking}", "warn" if lacking else ""),
        ],
        "environment": None,
        "histories": [plain(history) for history in ordered],
    }


def news(history: HistoryChart) -> list[ChartChange]:
    """Return the changes that nobody has acknowledged yet."""
    return [change for change in history.changes if not change.acknowledged]


def plain(history: HistoryChart) -> dict[str, Any]:
    """Return a history as JSON."""
    return {
        "operator": clean(history.operator),
        "framework": clean(history.framework),
        "direction": clean(history.direction),
        "inputs": clean(history.inputs),
        "machine": clean(history.machine),
        "gaps": [list(gap) for gap in history.gaps],
        "points": [
            [point.at, compact(point.median), *ends(point), clean(point.label)]
            for point in history.points
        ],
        "changes": [
            {
                "at": change.at,
                "ratio": compact(change.ratio),
                "cause": clean(change.cause),
                "acknowledged": change.acknowledged,
            }
            for change in history.changes
        ],
    }


def ends(point: ChartPoint) -> tuple[float | None, float | None]:
    """Return both ends of a point's interval, None where there is none."""
    low, high = point.interval or (None, None)
    return compact(low), compact(high)
