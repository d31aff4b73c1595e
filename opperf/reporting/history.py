"""Histories and their changes, for a terminal and as rows."""

from __future__ import annotations

from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING

from opperf.core.moments import day, stamp
from opperf.core.units import format_quantity
from opperf.history.model import TIME, FoundChange
from opperf.reporting.text import clean, shorten, to_ascii, wrap
from opperf.reporting.wording import attributes_text, inputs_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.history.cause import Cause
    from opperf.history.model import (
        Change,
        History,
        HistoryMetric,
        Point,
        SeriesSubject,
        Standing,
    )

BARS, ASCII_BARS = "▁▂▃▄▅▆▇█", ".:-=+*#@"
WIDEST = 100
INDENT = "  "
MOST_DIFFERENCES = 4
"""How many facts of the environment a line names."""
LONGEST_FACT = 40


def history_text(histories: Sequence[History], width: int, *, ascii_only: bool = False) -> str:
    """Return the histories as a few lines each, none wider than `width`."""
    blocks = []
    for one in histories:
        bars = min(width - len(INDENT), WIDEST)
        told = [*heading(one), *picture(one, bars, ascii_only=ascii_only)]
        told += [text for _, text in sorted(remarks(one))]
        blocks.append([part for line in told for part in wrap(line, width, ascii_only=ascii_only)])
    text = "\n\n".join("\n".join(block) for block in blocks)
    return to_ascii(text) if ascii_only else text


def lines_text(lines: Sequence[str], width: int, *, ascii_only: bool = False) -> str:
    """Return lines, none wider than `width`."""
    parts = [part for line in lines for part in wrap(line, width, ascii_only=ascii_only)]
    text = "\n".join(parts)
    return to_ascii(text) if ascii_only else text


def heading(history: History) -> Iterator[str]:
    """Yield what is measured, since when, how often and where, which a narrow terminal cuts off."""
    subject, points, metric = history.subject, history.points, history.metric
    known = len(history.with_value)
    missing = len(points) - known
    what = "a time" if metric == TIME else clean(metric.name)
    yield subject_text(subject)
    yield INDENT + ", ".join(
        [
            f"{day(points[0].at)} to {day(points[-1].at)}",
            f"{known} sessions with {what}" + (f", {missing} without" if missing else ""),
            *place(subject),
        ]
    )


def place(subject: SeriesSubject) -> list[str]:
    """Return the host by its name and its kind, or the machine where nobody gave it a name."""
    host = subject.host
    if host is None or host.name is None:
        return [f"machine {clean(subject.machine_key)}", clean(subject.cpu)]
    return [f"host {clean(host.name)}", clean(host.kind)]


def picture(history: History, width: int, *, ascii_only: bool) -> Iterator[str]:
    """Yield the sparkline and its scale, where there is any value."""
    values = [point.value for point in history.points if point.value is not None]
    if values:
        yield INDENT + sparkline(history, width, ascii_only=ascii_only)
        three, unit = (min(values), median(values), max(values)), clean(history.metric.unit)
        least, middle, most = (format_quantity(value, unit) for value in three)
        yield f"{INDENT}least {least}, median {middle}, most {most}"


def remarks(history: History) -> Iterator[tuple[int, str]]:
    """Yield what happened, each with its time."""
    if history.previous_machine is not None:
        first = history.points[0].at
        yield (
            first,
            f"{INDENT}{day(first)} machine changed: before, {clean(history.previous_machine)}",
        )
    for change in history.changes:
        name = FoundChange(history=history, change=change).name
        yield (
            change.at,
            f"{INDENT}{day(change.at)} {change_text(change, history.metric)}; {clean(name)}",
        )
    for gap in history.gaps:
        yield gap.start, f"{INDENT}{day(gap.start)} gap: nothing until {day(gap.end)}"
    for note in history.annotations:
        yield note.at, f"{INDENT}{day(note.at)} note: {clean(note.note)}"


def subject_text(subject: SeriesSubject) -> str:
    """Return what is measured, in one line."""
    parts = (
        " ".join([subject.operator, *subject.marks]),
        inputs_text(subject.inputs), attributes_text(subject.attributes),
        subject.framework, subject.direction, subject.device,
    )  # fmt: skip
    return "  ".join(clean(part) for part in parts if part)


def change_text(change: Change, metric: HistoryMetric) -> str:
    """Return a change in one line: how much, how sure, and what else changed."""
    low, high = change.interval
    before, after = (
        format_quantity(one, clean(metric.unit)) for one in (change.before, change.after)
    )
    text = (
        f"{before} -> {after}  "
        f"{change.ratio:.3f} [{low:.3f}, {high:.3f}] {metric.word(change.ratio)}, "
        f"{change.sessions_before} and {change.sessions_after} sessions"
    )
    if change.differences:
        text += f"; {differences_text(change)}"
    if change.acknowledgment:
        note = clean(change.acknowledgment.note or "")
        text += f"; acknowledged until {day(change.acknowledgment.until)} {note}".rstrip()
    return text


def differences_text(change: Change | Standing) -> str:
    """Return the first few facts that differ, and how many more there are."""
    shown = [
        f"{clean(item.fact)} {fact(item.before)} -> {fact(item.after)}"
        for item in change.differences[:MOST_DIFFERENCES]
    ]
    rest = len(change.differences) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def fact(value: object) -> str:
    """Return a fact of the environment, short."""
    return "missing" if value is None else shorten(clean(value), LONGEST_FACT)


def sparkline(history: History, width: int, *, ascii_only: bool = False) -> str:
    """Return a sparkline of values over time; a blank for a missing value."""
    bars = ASCII_BARS if ascii_only else BARS
    start, end = history.points[0].at, history.points[-1].at
    cells: list[list[float]] = [[] for _ in range(min(width, len(history.points)))]
    for point in history.with_value:
        place = (point.at - start) * len(cells) // (end - start + 1)
        cells[place].append(point.value or 0.0)
    levels = [median(cell) if cell else None for cell in cells]
    known = [level for level in levels if level is not None]
    least, span = min(known), (max(known) - min(known)) or 1.0
    top = len(bars) - 1
    return "".join(
        " " if level is None else bars[round((level - least) / span * top)] for level in levels
    )


def history_rows(
    histories: Sequence[History], causes: Mapping[str, Cause] = MappingProxyType({})
) -> list[dict[str, object]]:
    """Return one flat object a session, in time order; seconds are None where there is no time.

    Of another metric there are the sessions that have a value.
    """
    rows = []
    for history in histories:
        changes = {
            change.at: FoundChange(history=history, change=change) for change in history.changes
        }
        for point in history.points if history.metric == TIME else history.with_value:
            found = changes.get(point.at)
            rows.append(
                {
                    **subject_row(history.subject),
                    "at": stamp(point.at),
                    "run": point.run or None,
                    "session": point.session,
                    "status": point.status,
                    **value_row(point, history.metric),
                    "ratio": found.change.ratio if found else None,
                    "change": found.name if found else None,
                    "cause": causes[found.name].verdict if found and found.name in causes else None,
                }
            )
    return rows


def value_row(point: Point, metric: HistoryMetric) -> dict[str, object]:
    """Return the value of a session as columns, those of the time as they have always been."""
    bounds = {"low": point.low, "high": point.high}
    if metric == TIME:
        return {"seconds": point.value, **bounds, "n": point.n}
    return {"metric": metric.name, "unit": metric.unit, "value": point.value, **bounds}


def subject_row(subject: SeriesSubject) -> dict[str, object]:
    """Return what is measured as columns."""
    return {
        "operator": subject.operator,
        "marks": " ".join(subject.marks) or None,
        "framework": subject.framework,
        "direction": subject.direction,
        "device": subject.device,
        "inputs": inputs_text(subject.inputs) or None,
        "attributes": attributes_text(subject.attributes) or None,
        "machine": subject.machine_key,
        "host": subject.host.name if subject.host else None,
        "host_kind": subject.host.kind if subject.host else None,
        "series_key": subject.series_key,
    }
