"""The table of a sweep: what a call costs whatever its size, and how fast it is beyond that."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from opperf.core.statistics.scaling import CLIFF, RESOLVED
from opperf.core.units import MISSING, format_bytes, format_rate, format_seconds
from opperf.reporting.layout import Column, render
from opperf.reporting.series import series
from opperf.reporting.text import clean, to_ascii
from opperf.reporting.wording import counts_text, direction_text, operator_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.core.statistics.scaling import Cliff
    from opperf.reporting.series import Series

UNITS = {"B": "bytes moved", "FLOP": "FLOP of what computes more than it moves"}
LEAST_CELL = 12


def sweep_table(results: Sequence[Result], width: int, *, ascii_only: bool = False) -> str:
    """Return the fits as a table no wider than `width`, and below it what its words mean."""
    found = series(results)
    if not found:
        return counts_text(())
    lines = render(columns(found), width, ascii_only=ascii_only)
    below = [*legend(found), "", counts_text(result.status for result in results), *stops(found)]
    lines += ["", *(part for line in below for part in folded(line, width))]
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def folded(line: str, width: int) -> list[str]:
    """Return a line as lines within the width, all but the first indented."""
    return wrap(line, max(width, LEAST_CELL), subsequent_indent="    ") or [line]


def columns(found: Sequence[Series]) -> list[Column]:
    """Return the columns; an operator's name stands in the first of its lines only."""
    names = [operator_text(one.first) for one in found]
    led = ["" if at and names[at - 1] == name else name for at, name in enumerate(names)]
    frameworks = [clean(one.first.operator["framework"]) for one in found]
    directions = [direction_text(one.first.operator["direction"]) for one in found]
    return [
        Column(header="operator", cells=led, least=LEAST_CELL),
        Column(header="framework", cells=frameworks),
        Column(header="direction", cells=directions),
        Column(header="fixed cost", cells=[fixed_text(one) for one in found], align="right"),
        Column(header="rate", cells=[rate_text(one) for one in found], align="right"),
        Column(header="crossover", cells=[crossover_text(one) for one in found], align="right"),
    ]


def fixed_text(one: Series) -> str:
    """Return the fixed cost, or below what it lies."""
    if one.line is None:
        return MISSING
    if one.line.overhead is None:
        return f"< {format_seconds(one.line.overhead_limit, RESOLVED)}"
    return format_seconds(one.line.overhead, RESOLVED)


def rate_text(one: Series) -> str:
    """Return the rate with its unit."""
    return format_rate(one.line.rate if one.line else None, f"{one.unit}/s")


def crossover_text(one: Series) -> str:
    """Return the size at which fixed cost and rate weigh the same."""
    return amount(one, one.line.crossover if one.line else None)


def amount(one: Series, n: float | None) -> str:
    """Return a size with its unit."""
    if n is None:
        return MISSING
    return format_rate(n, "FLOP") if one.computes else format_bytes(round(n))


def cliffs_text(one: Series, cliffs: Sequence[Cliff]) -> str:
    """Return "3.15 MB 2.0x, 50.3 MB 4.6x": where the time leaves the line, each step once."""
    steps: list[Cliff] = []
    for cliff in cliffs:
        if not steps or abs(cliff.ratio / steps[-1].ratio - 1) > CLIFF:
            steps.append(cliff)
    shown = [f"{amount(one, step.n)} {step.ratio:.2g}x" for step in steps]
    return ", ".join(shown)


def legend(found: Sequence[Series]) -> Iterator[str]:
    """Yield what the columns mean, and where the times leave the line."""
    shown = [text for unit, text in UNITS.items() if any(one.unit == unit for one in found)]
    yield "time = fixed cost + n / rate; at the crossover both weigh the same"
    yield f"n: {'; '.join(shown)}"
    cliffs = [*cliff_lines(found)]
    if cliffs:
        yield "cliffs: n, and time / line there, off by more than 15 % and the interval"
        yield from cliffs


def cliff_lines(found: Sequence[Series]) -> Iterator[str]:
    """Yield a line a series whose times leave its line."""
    for one in found:
        if one.line and one.line.cliffs:
            framework, direction = (one.first.operator[n] for n in ("framework", "direction"))
            place = f"{operator_text(one.first)} {clean(framework)} {direction_text(direction)}"
            yield f"  {place}: {cliffs_text(one, one.line.cliffs)}"


def stops(found: Sequence[Series]) -> Iterator[str]:
    """Yield a line for every different reason why a size has no time."""
    met: dict[str, Result] = {}
    for one in found:
        for result in one.results:
            if result.seconds is None:
                reason = clean(result.reason or "no reason given")
                met.setdefault(f"{result.status} {reason}", result)
    for text, result in met.items():
        yield f"{operator_text(result)} {clean(result.operator['framework'])}: {text}"
