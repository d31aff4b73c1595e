"""What a comparison's row says of another metric than the time, in words and as flat fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.units import MISSING, format_quantity, format_seconds
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.comparing.row import ComparedMetric, ComparedRow

EXACT = "exact"
"""Stands for an interval where all sessions said the same."""


def side_text(row: ComparedRow, side: str) -> str:
    """Return the value of A or of B, "a" or "b", in its unit."""
    if row.values is None:
        return format_seconds(getattr(row, f"{side}_seconds"))
    return format_quantity(getattr(row.values, side), clean(row.values.unit))


def difference_text(row: ComparedRow) -> str:
    """Return the difference that was judged in the place of a ratio."""
    found = row.values
    if found is None or not found.by_difference:
        return MISSING
    return signed(found.difference, found)


def bounds_text(row: ComparedRow) -> str | None:
    """Return what stands in the place of a ratio's interval, None where that does."""
    found = row.values
    if found is None:
        return None
    if found.exact:
        return EXACT
    if not found.by_difference:
        return None
    low, high = found.bounds or (None, None)
    return MISSING if low is None else f"{signed(low, found)} to {signed(high, found)}"


def signed(value: float | None, metric: ComparedMetric) -> str:
    """Return a difference such as "+4.10 kB"."""
    sign = "+" if (value or 0) > 0 else ""
    return sign + format_quantity(value, clean(metric.unit))


def metric_legend(rows: Sequence[ComparedRow], *, paired: bool) -> Iterator[str]:
    """Yield what is compared, and how, of another metric than the time."""
    found = [row.values for row in rows if row.values]
    if not found:
        return
    how = "medians over sessions of both in turns" if paired else "medians over sessions"
    yield f"{clean(found[0].metric)} of a call: {how}; ratio: b / a"
    if any(each.exact for each in found):
        yield f"{EXACT}: all sessions said the same; that is no interval, and no promise"
    if any(each.by_difference for each in found):
        yield "difference: b - a, judged where a value is 0, as a share of the larger one"


def metric_fields(metric: ComparedMetric | None) -> dict[str, Any]:
    """Return the fields that a flat row of another metric has beside those of a time's row."""
    if metric is None:
        return {}
    return {
        "metric": metric.metric,
        "unit": metric.unit,
        "a_value": metric.a,
        "b_value": metric.b,
        "difference": metric.difference,
        "difference_interval": list(metric.bounds) if metric.bounds else None,
        "judged_by": "difference" if metric.by_difference else "ratio",
        "exact": metric.exact,
    }
