"""The step summary of GitHub Actions: what matters most first, and no more than it takes.

GitHub refuses a summary above 1 MiB as a whole, so rows are left out from the end, and counted.
"""

from __future__ import annotations

import sys
from math import log
from typing import TYPE_CHECKING, NamedTuple

from opperf.core.results.status import TROUBLE
from opperf.core.units import format_quantity, format_seconds
from opperf.reporting.escaping import markdown
from opperf.reporting.pairing import (
    companions,
    frameworks,
    geometric_mean,
    pair,
    results_of_ratios,
    without_companions,
)
from opperf.reporting.processors import processors_note
from opperf.reporting.ratios import decimal_text, ratio_text
from opperf.reporting.reproduction import command
from opperf.reporting.subjects import Run
from opperf.reporting.text import clean, shorten
from opperf.reporting.verdict_table import interval_text
from opperf.reporting.verdicts import counts, mean_ratios, worst_first
from opperf.reporting.wording import (
    counts_text,
    direction_text,
    flag,
    given_text,
    operator_text,
    status_text,
    status_words,
    time_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.pairing import ReportRow
    from opperf.reporting.verdicts import Verdict

MOST_BYTES = 2**20
LONGEST_CELL = 300
SUBJECT = ("operator", "inputs", "direction")
FAILURE = (*SUBJECT, "framework", "status", "reason", "again")
DOUBT = (*SUBJECT, "framework", "time")
VERDICT = (*SUBJECT, "framework", "A", "B", "B / A", "interval", "verdict", "reason")
OF_ARMS = (
    *SUBJECT, "framework", "arm", "reference's", "the arm's", "ratio", "interval", "verdict",
    "reason",
)  # fmt: skip
ENDING = 100
"""Bytes kept free for the line that counts what was left out."""


class Table(NamedTuple):
    """A part of the summary."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def summary_of(subject: Run | ComparisonReport, room: int) -> str:
    """Return the step summary, of at most so many bytes."""
    if isinstance(subject, Run):
        return run_summary(subject.results, subject.name, room)
    return comparison_summary(subject, room)


def write_comparison_markdown(comparison: ComparisonReport, stream: TextIO) -> None:
    """Write what the step summary has, however long."""
    stream.write(comparison_summary(comparison, sys.maxsize))


def run_summary(results: Sequence[Result], name: str, room: int = MOST_BYTES) -> str:
    """Return failures with their commands, then reliable ratios, the furthest from 1 first.

    Last are the times that are not to be relied on. Companions are left out unless they failed.
    """
    chosen = without_companions(results)
    rows, names = pair(chosen), frameworks(chosen)
    shown = [result for row in rows for result in row.results.values()]
    others = companions(results)
    reliable = (row for row in rows if row.ratio and row.ratio.is_reliable)
    ratios = sorted(reliable, key=distance, reverse=True)
    title = f"ratio {names[-1]} / {names[0]}" if ratios else "ratio"
    beside = (*SUBJECT, *names[:1], *names[-1:], title)
    tables = [
        Table("Failures", FAILURE, [fault(r) for r in [*shown, *others] if r.status in TROUBLE]),
        Table("Ratios", beside, [side(row, names) for row in ratios]),
        Table("Not to be relied on", DOUBT, [doubt(r) for r in shown if flag(r)]),
    ]
    note = processors_note(results_of_ratios(rows, names))
    below = f"\n{markdown(note)}\n" if note else ""
    counted = counts_text(r.status for r in shown) + mean_text(rows, title)
    head = f"## opperf: run {markdown(name)}\n\n{counted}\n{below}"
    return fit(head, tables, room)


def mean_text(rows: Sequence[ReportRow], title: str) -> str:
    """Return the geometric mean of the ratios, and how many pairs it is not over."""
    mean = geometric_mean(row.ratio for row in rows if row.ratio)
    if mean.value is None:
        return f"; no reliable pair, {mean.left_out} left out" if mean.left_out else ""
    return f"; geometric mean of the {markdown(title)} {decimal_text(mean.value)} {mean.text}"


def comparison_summary(comparison: ComparisonReport, room: int = MOST_BYTES) -> str:
    """Return the verdicts, worst first."""
    return verdict_tables(comparison_head(comparison), comparison, comparison.verdicts, room)


def comparison_head(comparison: ComparisonReport) -> str:
    """Return what is compared, how many rows have which verdict, and the notes on all of them."""
    found = counts(comparison.verdicts)
    told = ", ".join(f"{number} {status_words(name)}" for name, number in found.items())
    over = "".join(
        f"; geometric mean {markdown(clean(title))} {mean.value:.3f} {mean.text}"
        for title, mean in mean_ratios(comparison.verdicts)
    )
    notes = "".join(f"\n{markdown(note)}\n" for note in comparison.notes)
    return f"## opperf: {markdown(comparison.title)}\n\n{told}{over}\n{notes}"


def verdict_tables(
    head: str, comparison: ComparisonReport, verdicts: Sequence[Verdict], room: int
) -> str:
    """Return some verdicts of a comparison below a head, worst first, in so many bytes."""
    header = OF_ARMS if comparison.arms else VERDICT
    table = Table("Verdicts", header, [verdict_row(row) for row in worst_first(verdicts)])
    return fit(head, [table], room)


def subject(result: Result) -> tuple[str, ...]:
    """Return the cells that say what was measured."""
    direction = direction_text(result.operator.direction)
    return cells(operator_text(result), given_text(result), direction)


def fault(result: Result) -> tuple[str, ...]:
    """Return the row of a failure."""
    told = cells(result.operator.framework, status_text(result), result.reason or "")
    return (*subject(result), *told, f"<code>{markdown(command(result))}</code>")


def doubt(result: Result) -> tuple[str, ...]:
    """Return the row of a time that is not to be relied on."""
    return (*subject(result), *cells(result.operator.framework, " ".join(time_parts(result))))


def side(row: ReportRow, names: Sequence[str]) -> tuple[str, ...]:
    """Return the row of a ratio."""
    found = (row.results[names[0]], row.results[names[-1]])
    times = [" ".join(time_parts(result)) for result in found]
    mark = f" ({row.ratio.judgement})" if row.ratio else ""
    return (*subject(row.subject), *cells(*times, ratio_text(row.ratio) + mark))


def distance(row: ReportRow) -> float:
    """Return how far a row's ratio is from 1."""
    return abs(log(row.ratio.value)) if row.ratio else 0.0


def verdict_row(row: Verdict) -> tuple[str, ...]:
    """Return the row of a verdict."""
    ends = interval_text(row.interval) if row.interval else ""
    verdict = status_words(row.verdict) + (" (confirmed)" if row.confirmed else "")
    return cells(
        row.operator, row.inputs or row.size or "", row.direction, row.framework,
        *([row.arm] if row.arm else []),
        *(side_value(row, side) for side in ("a", "b")),
        f"{row.ratio:.3f}" if row.ratio else "", ends,
        "control" if row.control else verdict, row.reason or "",
    )  # fmt: skip


def side_value(row: Verdict, side: str) -> str:
    """Return the time of A or of B, or the value of another metric in its unit."""
    if row.metric is None:
        return format_seconds(getattr(row, f"{side}_seconds"))
    return format_quantity(getattr(row, f"{side}_value"), clean(row.unit or ""))


def cells(*texts: object) -> tuple[str, ...]:
    """Return texts as Markdown cells of bounded length."""
    return tuple(markdown(shorten(clean(text), LONGEST_CELL)) for text in texts)


def fit(head: str, tables: Iterable[Table], room: int) -> str:
    """Return the tables below the head, as many rows as there is room for in UTF-8 bytes."""
    parts, left_out = [shorten(head, LONGEST_CELL * 8)], 0
    room -= ENDING + size(parts[0])
    for table in tables:
        if not table.rows:
            continue
        header = (f"\n### {table.title}\n\n", line(table.header), line(["---"] * len(table.header)))
        room -= sum(map(size, header))
        taken: list[str] = []
        for row in map(line, table.rows):
            room -= size(row)
            if room < 0:
                break
            taken.append(row)
        left_out += len(table.rows) - len(taken)
        parts += [*header, *taken] if taken else []
    ending = f"\n{left_out} rows are left out for want of room.\n" if left_out else ""
    return "".join(parts) + ending


def line(row: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(row)} |\n"


def size(text: str) -> int:
    """Return the bytes of a text."""
    return len(text.encode())
