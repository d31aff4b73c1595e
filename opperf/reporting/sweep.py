"""The table of a sweep: what a call costs whatever its size, and how fast it is beyond that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.statistics.scaling import CLIFF, RESOLVED
from opperf.core.units import (
    MISSING,
    format_bytes,
    format_precision,
    format_rate,
    format_seconds,
)
from opperf.reporting.crossover import crossovers
from opperf.reporting.layout import Column, fits, hidden_lines, render, spare
from opperf.reporting.one_unit import with_unit
from opperf.reporting.series import Series, series
from opperf.reporting.sheet import RATIO, Sheet
from opperf.reporting.table import has_intervals
from opperf.reporting.text import clean, fold, to_ascii
from opperf.reporting.wording import (
    UNUSABLE,
    counts_text,
    direction_text,
    flag,
    given_text,
    operator_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.core.statistics.scaling import Cliff
    from opperf.reporting.crossover import Crossover
    from opperf.reporting.pairing import ReportRow

UNITS = {"B": "bytes moved", "FLOP": "FLOP of what computes more than it moves"}
LEAST_CELL = 12
SPARED = ("half rate at", "framework", "direction", "rate")
"""The columns of lines that are left out where there is no room, the first first."""


def sweep_table(results: Sequence[Result], width: int, *, ascii_only: bool = False) -> str:
    """Return the times by size, the lines through them, and what their words mean.

    No line is wider than `width`.
    """
    found = series(results)
    if not found:
        return counts_text(())
    lines = times_by_size(results, width, ascii_only=ascii_only)
    fits_of, hidden = spare(columns(found, ascii_only=ascii_only), width, SPARED)
    lines += ["", *render(fits_of, width, ascii_only=ascii_only), *hidden_lines(hidden, width)]
    below = [*legend(found, results), "", counts_text(result.status for result in results)]
    lines += ["", *(part for line in [*below, *stops(found)] for part in fold(line, width))]
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def times_by_size(results: Sequence[Result], width: int, *, ascii_only: bool) -> list[str]:
    """Return a table with a line a size, by operator and direction, the frameworks beside it."""
    sheet = Sheet(results, ascii_only=ascii_only)
    groups: dict[tuple[str, str], list[ReportRow]] = {}
    for row in sheet.rows:
        groups.setdefault((operator_text(row.subject), row.direction), []).append(row)
    rows = [(row, at == 0) for group in groups.values() for at, row in enumerate(group)]
    sheet.rows = [replace(row, leads=leads) for row, leads in rows]
    sizes = [
        amount(one, one.work(row.subject))
        for group in groups.values()
        for one in [Series([row.subject for row in group])]
        for row in group
    ]
    directions = [direction_text(row.direction) if leads else "" for row, leads in rows]
    operator = replace(sheet.operator(), least=LEAST_CELL)
    head = [operator, Column(header="direction", cells=directions)]
    head += [Column(header="n", cells=sizes, align="right")]
    given = Column(header="inputs", cells=[given_text(row.subject) for row, _ in rows], least=12)
    roomy = [*head, given, *sheet.times(), *sheet.ratio()]
    shown, hidden = spare(roomy, width, ["inputs"])
    if not fits(shown, width):
        bare = sheet.bare_times()
        shown, more = spare(
            [*head, *bare, *sheet.ratio()], width,
            ["direction", "", RATIO, *(column.header for column in reversed(bare[1:])), "n"],
        )  # fmt: skip
        hidden += [*more, *(["intervals"] if has_intervals(roomy) else [])]
    return [*render(shown, width, ascii_only=ascii_only), *hidden_lines(hidden, width)]


def columns(rows: Sequence[Series], *, ascii_only: bool) -> list[Column]:
    """Return the columns; an operator's name stands in the first of its lines only."""
    names = [operator_text(one.first) for one in rows]
    led = ["" if at and names[at - 1] == name else name for at, name in enumerate(names)]
    frameworks = [clean(one.first.operator.framework) for one in rows]
    directions = [direction_text(one.first.operator.direction) for one in rows]
    fixed, rates, halves = (
        [text(one, ascii_only=ascii_only) for one in rows]
        for text in (fixed_text, rate_text, half_rate_text)
    )
    return [
        Column(header="operator", cells=led, least=LEAST_CELL),
        Column(header="framework", cells=frameworks),
        Column(header="direction", cells=directions),
        with_unit(Column(header="fixed cost", cells=fixed, align="right")),
        Column(header="rate", cells=rates, align="right"),
        Column(header="half rate at", cells=halves, align="right"),
    ]


def fixed_text(one: Series, *, ascii_only: bool) -> str:
    """Return the fixed overhead, or its upper bound."""
    if one.line is None:
        return MISSING
    if one.line.overhead is None:
        return f"< {format_seconds(one.line.overhead_limit, RESOLVED)}"
    text = format_seconds(one.line.overhead, RESOLVED)
    return text + error_text(one.line.overhead_error, ascii_only=ascii_only)


def rate_text(one: Series, *, ascii_only: bool) -> str:
    """Return the rate with its unit."""
    if one.line is None or one.line.rate is None:
        return MISSING
    text = format_rate(one.line.rate, f"{one.unit}/s")
    return text + error_text(one.line.rate_error, ascii_only=ascii_only)


def half_rate_text(one: Series, *, ascii_only: bool) -> str:
    """Return the size at which fixed cost and rate weigh the same."""
    if one.line is None or one.line.half_rate is None:
        return MISSING
    text = amount(one, one.line.half_rate)
    return text + error_text(one.line.half_rate_error, ascii_only=ascii_only)


def error_text(error: float | None, *, ascii_only: bool) -> str:
    """Return what a figure may be off by, as " ±4.1%", or " ±?" where nobody knows."""
    if error is None or error >= UNUSABLE:
        return " +-?" if ascii_only else " ±?"
    return f" {format_precision(error, ascii_only=ascii_only)}"


def amount(one: Series, n: float | None) -> str:
    """Return a size with its unit."""
    if n is None:
        return MISSING
    return format_rate(n, "FLOP") if one.computes else format_bytes(round(n))


def cliffs_text(one: Series, cliffs: Sequence[Cliff]) -> str:
    """Return "3.15 MB 2.0x ±3%": where the time leaves the line, each step once."""
    steps: list[Cliff] = []
    for cliff in cliffs:
        if not steps or abs(cliff.ratio / steps[-1].ratio - 1) > CLIFF:
            steps.append(cliff)
    shown = [
        f"{amount(one, step.n)} {step.ratio:.2g}x{error_text(step.error, ascii_only=False)}"
        for step in steps
    ]
    return ", ".join(shown)


def legend(rows: Sequence[Series], results: Sequence[Result]) -> Iterator[str]:
    """Yield what the columns mean, where the times leave the line, and where frameworks cross."""
    shown = [text for unit, text in UNITS.items() if any(one.unit == unit for one in rows)]
    yield (
        "time = fixed cost + n / rate, each with half its 95 % interval; half the rate is reached "
        "where n / rate is as long as the fixed cost"
    )
    yield f"n: {'; '.join(shown)}"
    if any(map(flag, results)):
        left_out = sum(one.left_out for one in rows)
        yield f"! do not rely on this time; the lines leave {left_out} such times out"
    crossing = [*crossovers(rows)]
    if crossing:
        yield "crossovers: the size from which one framework is the faster lies between"
        yield from map(crossover_line, crossing)
    cliffs = [*cliff_lines(rows)]
    if cliffs:
        yield "cliffs: n, and time / line there, off by more than 15 % and the interval"
        yield from cliffs


def crossover_line(crossover: Crossover) -> str:
    """Return "  Exp forward: 131 kB and 524 kB, pytorch beyond"."""
    one = crossover.first
    place = f"{operator_text(one.first)} {direction_text(one.first.operator.direction)}"
    between = f"{amount(one, crossover.low)} and {amount(one, crossover.high)}"
    return (
        f"  {place}: {between}; {clean(crossover.faster)} beyond, {clean(crossover.slower)} below"
    )


def cliff_lines(rows: Sequence[Series]) -> Iterator[str]:
    """Yield a line a series whose times leave its line."""
    for one in rows:
        if one.line and one.line.cliffs:
            framework, direction = one.first.operator.framework, one.first.operator.direction
            place = f"{operator_text(one.first)} {clean(framework)} {direction_text(direction)}"
            yield f"  {place}: {cliffs_text(one, one.line.cliffs)}"


def stops(rows: Sequence[Series]) -> Iterator[str]:
    """Yield a line for every different reason why a size has no time."""
    met: dict[str, Result] = {}
    for one in rows:
        for result in one.results:
            if result.seconds is None:
                reason = clean(result.reason or "no reason given")
                met.setdefault(f"{result.status} {reason}", result)
    for text, result in met.items():
        yield f"{operator_text(result)} {clean(result.operator.framework)}: {text}"
