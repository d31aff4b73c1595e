"""The terminal's table: frameworks side by side, then how it went and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.results.status import TIMED, TROUBLE
from opperf.core.units import MISSING
from opperf.reporting.arrangement import chosen_columns
from opperf.reporting.gains import gains
from opperf.reporting.layout import fits, hidden_lines, render, spare
from opperf.reporting.pairing import (
    IN_NOISE,
    NOT_COMPARABLE,
    UNRELIABLE,
    companions,
    geometric_mean,
    results_of_ratios,
)
from opperf.reporting.processors import processors_note
from opperf.reporting.ratios import NO_RATIO, decimal_text
from opperf.reporting.sheet import MEMORY, RATIO, Sheet, heading
from opperf.reporting.text import clean, shorten, to_ascii, wrap
from opperf.reporting.wording import (
    counts_text,
    direction_text,
    flag,
    operator_text,
    status_text,
    time_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.layout import Column
    from opperf.reporting.pairing import MeanRatio

WIDE = 140
"""Characters from which there is room for rates."""
NARROWEST = 6
"""Characters that an operator and its inputs keep where the times need all others."""


def table(
    results: Sequence[Result], width: int, *, ascii_only: bool = False, names: Sequence[str] = ()
) -> str:
    """Return the results as a table no wider than `width` characters, without color.

    Below it stand what its marks mean, how many results ended how, and why those without a time
    have none. Where the width is short, memory goes first, then rates, then inputs move below the
    operator, then notes go, then intervals; below some 50 columns directions go, then ratios, then
    the last frameworks. What is left out is named.
    `names` are the columns that are asked for, and no others.
    """
    sheet = Sheet(results, ascii_only=ascii_only)
    if not sheet.rows:
        return counts_text(())
    columns = chosen_columns(sheet, names) if names else choose_layout(sheet, width)
    lines = render(columns, width, ascii_only=ascii_only)
    marks = [*legend(sheet, columns)]
    hidden = [] if names else hidden_lines(hidden_headers(sheet, columns), width)
    fused = gains(results, width, ascii_only=ascii_only)
    lines += [""]
    for line in marks:
        lines += wrap(line, width, ascii_only=ascii_only)
    lines += [*hidden, ""] if marks or hidden else []
    for line in [*fused, *([""] if fused else []), *endings(sheet, results)]:
        lines += wrap(line, width, ascii_only=ascii_only) or [""]
    return to_ascii("\n".join(lines)) if ascii_only else "\n".join(lines)


def choose_layout(sheet: Sheet, width: int) -> list[Column]:
    """Return the first layout that fits, else as much of the last as there is room for."""
    columns: list[Column] = []
    for columns in layouts(sheet, width):
        if fits(columns, width):
            return columns
    bare = [replace(sheet.operator(), least=NARROWEST), *columns[1:]]
    times = [column.header for column in sheet.bare_times()]
    return spare(bare, width, ("direction", "", RATIO, *reversed(times[1:])))[0]


def layouts(sheet: Sheet, width: int) -> Iterator[list[Column]]:
    """Yield the columns to show, from the most to the fewest."""
    times = [sheet.direction(), *sheet.times()]
    ratio, notes = sheet.ratio(), sheet.notes()
    if width >= WIDE:
        yield full(sheet)
        yield full(sheet, memory=False)
    yield [sheet.operator(), sheet.inputs(), *times, *ratio, *notes]
    both = sheet.operator_and_inputs()
    yield [both, *times, *ratio, *notes]
    yield [both, *times, *ratio]
    narrow = replace(both, least=NARROWEST)
    yield [narrow, *times, *ratio]
    yield [narrow, sheet.direction(), *sheet.bare_times(), *ratio]


def full(sheet: Sheet, *, memory: bool = True) -> list[Column]:
    """Return every column there is, those of memory and of probes unless told otherwise."""
    what = [sheet.operator(), sheet.inputs(), sheet.direction()]
    numbers = [*sheet.times(), *sheet.ratio(), sheet.output(), *sheet.rates()]
    taken = [*sheet.memories(), *sheet.others()] if memory else []
    return [*what, *numbers, *taken, *sheet.notes()]


def hidden_headers(sheet: Sheet, columns: Sequence[Column]) -> list[str]:
    """Return which columns that hold something are not among those that are shown."""
    shown = {name for column in columns for name in column.header.split(", ")}
    whole = full(sheet)
    names = [
        column.header
        for column in whole
        if column.header not in shown
        and (column.header == RATIO or any(cell not in {"", MISSING} for cell in column.cells))
    ]
    if has_intervals(whole) and not has_intervals(columns):
        names.append("intervals")
    return names


def has_intervals(columns: Sequence[Column]) -> bool:
    """Return whether any cell is a time with its interval."""
    return any("±" in cell or "+-" in cell for column in columns for cell in column.cells)


def legend(sheet: Sheet, columns: Sequence[Column]) -> Iterator[str]:
    """Yield a line for every mark that is shown in the columns."""
    plus = "+-" if sheet.ascii_only else "±"
    timed = [result for result in sheet.results if result.seconds is not None]
    with_ratio = any(column.header == RATIO for column in columns)
    with_rates = any(column.header.endswith(" rate") for column in columns)
    unknown = f"{plus}?"
    if any(plus in cell for column in columns for cell in column.cells):
        yield f"time: median, {plus} half its 95 % interval within this one process"
        if any(time_parts(result, ascii_only=sheet.ascii_only)[1] == unknown for result in timed):
            yield f"{unknown} no interval, or one as wide as the time is long"
    if any(column.header.endswith(MEMORY) for column in columns):
        yield "memory: outputs and workspace of a call; saved: what a backward needs of its forward"
    if with_rates and any(result.peak_fraction is not None for result in timed):
        yield "rate: with its share of the roof that opperf doctor --peaks measured here"
    if any(map(flag, timed)):
        yield "! do not rely on this time; opperf show --statistics says why"
    if with_ratio:
        yield from ratio_legend(sheet)


def ratio_legend(sheet: Sheet) -> Iterator[str]:
    """Yield what the ratios are, what may not be read into them, and a line for every mark."""
    judgements = {row.ratio.judgement for row in sheet.rows if row.ratio}
    if judgements:
        yield ratio_line(sheet)
    if note := processors_note(results_of_ratios(sheet.rows, sheet.frameworks)):
        yield note
    if UNRELIABLE in judgements:
        yield f"{NO_RATIO} one of the two times is not to be relied on"
    if IN_NOISE in judgements:
        yield "~ in noise: intervals overlap, or the ratio is within 2 % of 1"
    if NOT_COMPARABLE in judgements:
        yield "x not comparable: the two were measured by different definitions"


def ratio_line(sheet: Sheet) -> str:
    """Return what the ratios are, and their geometric mean."""
    first, last = heading(sheet.frameworks[0]), heading(sheet.frameworks[-1])
    mean = geometric_mean(row.ratio for row in sheet.rows if row.ratio)
    line = f"ratio: {last} / {first}; below 1, {last} takes less time"
    return f"{line}; {mean_text(mean)}"


def mean_text(mean: MeanRatio) -> str:
    """Return "geometric mean 0.85 over 31 reliable pairs; 6 left out"."""
    value = "" if mean.value is None else f" {decimal_text(mean.value)}"
    return f"geometric mean{value} {mean.text}"


def endings(sheet: Sheet, results: Sequence[Result]) -> list[str]:
    """Return how many results ended how, and why those without a time have none.

    What was measured beside them is counted apart; of it only trouble has its reason said.
    """
    shown = sheet.results
    beside = companions(results)
    counts = [counts_text(result.status for result in shown)]
    if beside:
        counts.append(f"measured beside them: {counts_text(result.status for result in beside)}")
    trouble = [result for result in beside if result.status in TROUBLE]
    return [*counts, *reasons([*shown, *trouble])]


def reasons(results: Sequence[Result]) -> list[str]:
    """Return a line for every different reason why there is no time, with where it was met."""
    met: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.status not in TIMED:
            met.setdefault((status_text(result), reason_text(result)), []).append(result)
    return [reason_line(status, reason, found) for (status, reason), found in met.items()]


def reason_text(result: Result) -> str:
    """Return why, without the framework's name, which stands before it."""
    return clean((result.reason or "").removeprefix(f"{result.operator.framework}: "))


def reason_line(status: str, reason: str, results: Sequence[Result]) -> str:
    """Return "unsupported: TopK mxnet backward, fwd+bwd and 3 more: no gradient"."""
    first = place(results[0])
    same = [result for result in results if place(result) == first]
    directions = dict.fromkeys(direction_text(result.operator.direction) for result in same)
    more = f" and {len(results) - len(same)} more" if len(results) > len(same) else ""
    line = f"{status}: {first} {', '.join(directions)}{more}"
    return f"{line}: {reason}" if reason else line


def place(result: Result) -> str:
    """Return operator and framework."""
    name = shorten(operator_text(result), 40, ascii_only=True)
    return f"{name} {heading(result.operator.framework)}"
