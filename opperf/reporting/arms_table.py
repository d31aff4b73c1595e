"""The verdicts on several arms for a terminal: a column of the reference, and one of each other."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from opperf.comparing.total import Total
from opperf.comparing.verdict import VERDICTS, WORSE
from opperf.core.units import format_quantity, format_seconds
from opperf.reporting.compared_metric import bounds_text, difference_text
from opperf.reporting.layout import GAP, Column, fits, hidden_lines, render, spare
from opperf.reporting.one_unit import with_unit
from opperf.reporting.text import clean, to_ascii, wrap
from opperf.reporting.verdict_labels import inputs_label, row_label
from opperf.reporting.verdict_table import (
    MARKS,
    control_sums,
    doubts,
    interval_text,
    reason_lines,
    sums,
    thousandths,
    verdict_text,
)
from opperf.reporting.wording import direction_text, status_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.comparing.row import ComparedRow

LEAST_OPERATOR, LEAST_INPUTS = 8, 8
UNSURE = "?"
"""Follows the mark of what is worse and was not confirmed."""
NO_CELL = "-"


@dataclass(frozen=True, kw_only=True)
class JobRow:
    """One job: its row in each arm that has one."""

    by_arm: Mapping[str, ComparedRow]

    @property
    def first(self) -> ComparedRow:
        """A row that says what the job is."""
        return next(iter(self.by_arm.values()))

    @property
    def is_quiet(self) -> bool:
        """Whether every arm is equivalent to the reference."""
        return all(row.verdict == "equivalent" for row in self.by_arm.values())

    @property
    def rank(self) -> tuple[int, str]:
        """Where it stands: by the verdict that asks for attention first."""
        worst = min(VERDICTS.index(row.verdict) for row in self.by_arm.values())
        return worst, self.first.operator

    @property
    def reference_text(self) -> str:
        """The reference's time, or its value of another metric: the median over the arms' rows."""
        rows = self.by_arm.values()
        if self.first.values is None:
            found = [row.a_seconds for row in rows if row.a_seconds is not None]
            return format_seconds(median(found) if found else None)
        values = [row.values.a for row in rows if row.values and row.values.a is not None]
        unit = next((row.values.unit for row in rows if row.values and row.values.unit), "")
        return format_quantity(median(values) if values else None, clean(unit))


def arms_table(
    total: Total,
    names: Sequence[str],
    min_effect: float,
    width: int,
    *,
    ascii_only: bool = False,
) -> str:
    """Return the table and the lines below it, no line wider than `width`.

    Args:
        total: all rows.
        names: those of the arms, the reference first.
        min_effect: the smallest change of interest, a fraction.
        width: characters of a line.
        ascii_only: whether nothing but ASCII may be printed.

    """
    reference, *others = names
    jobs = jobs_of_rows([*total.compared, *total.predictions])
    loud = [job for job in jobs if not job.is_quiet] or jobs
    lines, below = [], []
    if loud:
        loud.sort(key=lambda job: job.rank)
        columns, left_out, marked = fitting(loud, reference, others, width)
        lines = [
            *render(columns, width, ascii_only=ascii_only), *hidden_lines(left_out, width),
        ]  # fmt: skip
        below = [*legend(loud, reference, others, marked=marked)]
    for name in others:
        own = Total([row for row in total.rows if row.arm == name])
        below.append(f"{clean(name)}: {'; '.join(sums(own, min_effect))}")
    if controls := control_sums(total):
        below.append(f"{clean(reference)} against itself: {'; '.join(controls)}")
    below += chances(total, others)
    for name in others:
        rows = [row for job in loud for arm, row in job.by_arm.items() if arm == name]
        below += [f"{clean(name)}: {line}" for line in reason_lines(rows)]
    for line in below:
        lines += wrap(line, width, ascii_only=ascii_only)
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def jobs_of_rows(rows: Sequence[ComparedRow]) -> list[JobRow]:
    """Return the rows by their job, in order of appearance."""
    found: dict[str | None, dict[str, ComparedRow]] = {}
    for row in rows:
        found.setdefault(row.job, {})[str(row.arm)] = row
    return [JobRow(by_arm=by_arm) for by_arm in found.values()]


def chances(total: Total, others: Sequence[str]) -> Iterator[str]:
    """Yield what speaks against believing the verdicts: of how many they are, said once."""
    varying = len(total.varying)
    for line in doubts(total):
        if line.startswith("by chance alone"):
            yield f"{line}: {varying} verdicts, of {len(others)} arms against one reference"
        else:
            yield line


def fitting(
    jobs: Sequence[JobRow], reference: str, others: Sequence[str], width: int
) -> tuple[list[Column], list[str], bool]:
    """Return the columns that fit, what is left out for that, and whether verdicts are marks.

    First go the intervals, then the inputs, then the verdicts' words; then columns that say what
    was measured, and in the end the last arms.
    """
    arms, left_out = [*others], []
    steps: list[tuple[str, Callable[[ComparedRow], str], tuple[str, ...]]] = [
        ("", with_interval, ()),
        ("intervals", with_words, ()),
        ("inputs", with_words, ("inputs",)),
        ("", with_mark, ("inputs",)),
        ("framework", with_mark, ("inputs", "framework")),
        ("direction", with_mark, ("inputs", "framework", "direction")),
    ]
    columns: list[Column] = columns_of_jobs(jobs, reference, arms, with_mark, ())
    absent = {"inputs", "framework", "direction"} - {column.header for column in columns}
    for what, cell, hidden in steps:
        columns = columns_of_jobs(jobs, reference, arms, cell, hidden)
        left_out += [what] if what and what not in absent else []
        roomy = sum(column.width + GAP for column in columns) - GAP <= width
        if roomy or (cell is with_mark and fits(columns, width)):
            return columns, left_out, cell is with_mark
    while len(arms) > 1 and not fits(columns, width):
        left_out.append(f"arm {clean(arms.pop())}")
        columns = columns_of_jobs(jobs, reference, arms, with_mark, steps[-1][2])
    columns, more = spare(columns, width, [clean(reference)])
    return columns, [*left_out, *more], True


def columns_of_jobs(
    jobs: Sequence[JobRow],
    reference: str,
    arms: Sequence[str],
    cell: Callable[[ComparedRow], str],
    hidden: Sequence[str],
) -> list[Column]:
    """Return the table's columns: what was measured, the reference, and each other arm."""
    several = len({job.first.framework for job in jobs}) > 1
    about = {
        "operator": [row_label(job.first) for job in jobs],
        "inputs": [inputs_label(job.first) for job in jobs],
        "framework": [clean(job.first.framework) for job in jobs] if several else [],
        "direction": [direction_text(job.first.direction) for job in jobs],
    }
    least = {"operator": LEAST_OPERATOR, "inputs": LEAST_INPUTS}
    columns = [
        Column(header=header, cells=texts, least=least.get(header))
        for header, texts in about.items()
        if texts and header not in hidden
    ]
    times = named_column(reference, [job.reference_text for job in jobs], "right")
    columns.append(with_unit(times))
    return columns + [
        named_column(name, [cell_of(job, name, cell) for job in jobs], "left") for name in arms
    ]


def named_column(name: str, cells: Sequence[str], align: str) -> Column:
    """Return the column of an arm, whose name may be cut and whose cells may not."""
    return Column(header=clean(name), cells=cells, align=align, least=max(map(len, cells)))


def cell_of(job: JobRow, name: str, cell: Callable[[ComparedRow], str]) -> str:
    """Return what stands of an arm in a job's line."""
    row = job.by_arm.get(name)
    return NO_CELL if row is None else cell(row)


def ratio_text_of(row: ComparedRow) -> str:
    """Return the ratio, or the difference where that was judged; nothing where there is neither."""
    if row.values and row.values.by_difference:
        return difference_text(row)
    return "" if row.ratio is None else thousandths(row.ratio)


def with_interval(row: ComparedRow) -> str:
    """Return "1.052 [1.041, 1.060] SLOWER (confirmed)"."""
    ends = bounds_text(row) or (interval_text(row.interval) if row.interval else "")
    return " ".join(filter(None, [ratio_text_of(row), ends, verdict_text(row)]))


def with_words(row: ComparedRow) -> str:
    """Return "1.052 SLOWER (confirmed)"."""
    return " ".join(filter(None, [ratio_text_of(row), verdict_text(row)]))


def with_mark(row: ComparedRow) -> str:
    """Return "1.052 +"."""
    unsure = UNSURE if row.verdict in WORSE and not row.confirmed else ""
    return " ".join(filter(None, [ratio_text_of(row), MARKS[row.verdict] + unsure]))


def legend(
    jobs: Sequence[JobRow],
    reference: str,
    others: Sequence[str],
    *,
    marked: bool,
) -> Iterator[str]:
    """Yield what the columns are, and what the marks mean."""
    rows = [row for job in jobs for row in job.by_arm.values()]
    metric = next((row.values.metric for row in rows if row.values), "time")
    medians = "" if metric == "time" else ": medians over sessions"
    yield (
        f"{clean(reference)}: {clean(metric)} of a call{medians}; {', '.join(map(clean, others))}: "
        "the median of paired ratios to it, and the verdict"
    )
    if marked:
        met = [name for name in VERDICTS if any(row.verdict == name for row in rows)]
        texts = [f"{MARKS[name]} {status_words(name)}" for name in met]
        unsure = any(row.verdict in WORSE and not row.confirmed for row in rows)
        yield "; ".join([*texts, *([f"{UNSURE} not confirmed"] if unsure else [])])
