"""Values over sessions, and where they changed."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from opperf.api.plots.plot import Plot, check_number, errors_of, plain
from opperf.reporting.wording import direction_text, inputs_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.history.model import History, Point

KILO = 1000


def draw_histories(histories: Sequence[History]) -> Plot:
    """Return a plot with a panel a series: values with their intervals, and its changes."""
    known = [history for history in histories if history.with_value]
    check_number(len(known), "series with a value")
    plot = Plot(len(known), inches=2.6)
    for axes, history in zip(plot.axes, known, strict=True):
        points = history.with_value
        values = [point.value or 0.0 for point in points]
        errors = errors_of(values, [interval_of(point) for point in points])
        times = [moment(point.at) for point in points]
        axes.errorbar(times, values, yerr=errors, fmt=".", capsize=2, lw=1)
        for change in history.changes:
            color = "C3" if history.metric.is_worse(change.ratio) else "C2"
            axes.axvline(moment(change.at), color=color, lw=1)
            axes.annotate(
                f"x{change.ratio:.3g}", (moment(change.at), 1), xycoords=("data", "axes fraction"),
                xytext=(2, -10), textcoords="offset points", fontsize="small", color=color,
            )  # fmt: skip
        axes.set_ylim(bottom=0)
        axes.set_ylabel(plain(f"{history.metric.name}, {history.metric.unit}"))
        axes.set_title(title_of(history), fontsize="medium")
        axes.grid(alpha=0.3)
    plot.figure.autofmt_xdate()
    return plot


def interval_of(point: Point) -> tuple[float, float] | None:
    """Return the interval of a session's value, None where there is none."""
    return None if point.low is None or point.high is None else (point.low, point.high)


def moment(milliseconds: int) -> datetime:
    """Return a time in UTC."""
    return datetime.fromtimestamp(milliseconds / KILO, timezone.utc)


def title_of(history: History) -> str:
    """Return what a series is called."""
    subject = history.subject
    words = [subject.operator, direction_text(subject.direction), inputs_text(subject.inputs)]
    return plain(f"{' '.join(filter(None, words))}, {subject.framework}, {subject.machine_key}")
