"""The page of a run: all of its results, and its frameworks side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.core.results.status import TIMED, TROUBLE
from opperf.core.version import VERSION
from opperf.reporting.gains import gains_table
from opperf.reporting.page.columns import columns, compact
from opperf.reporting.page.environment import environment
from opperf.reporting.page.network import network_views
from opperf.reporting.page.tiles import tile
from opperf.reporting.pairing import (
    BETWEEN_PROCESSES,
    frameworks,
    geometric_mean,
    pair,
    ratio,
    ratio_range,
    without_companions,
)
from opperf.reporting.processors import processors_note
from opperf.reporting.reproduction import command
from opperf.reporting.series import series
from opperf.reporting.text import clean, shorten, without_controls
from opperf.reporting.wording import counts_text, direction_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.network import RankedNetwork
    from opperf.reporting.pairing import Ratio, ReportRow

LONGEST_LOG = 400
"""Characters of the end of stderr that a failure shows; the record has 4 KiB."""


def run_page(
    results: Sequence[Result], name: str, networks: Sequence[RankedNetwork] = ()
) -> dict[str, Any]:
    """Return the data of a run's page; a later result stands for an earlier one of the same row.

    Companions are in the table of what fusing gains, and nowhere else.
    """
    chosen = without_companions(results)
    rows, names = pair(chosen), frameworks(chosen)
    shown = [result for row in rows for result in row.results.values()]
    place = {id(result): index for index, result in enumerate(shown)}
    pairs = [found for row in rows for found in pairs_of(row, names)]
    by_framework = {
        name: [result.environment for result in shown if result.operator.framework == name]
        for name in names
    }
    return {
        "title": f"opperf: run {clean(name)}",
        "opperf": VERSION,
        "heading": f"Run {clean(name)}",
        "origin": clean(shown[0].command or "") if shown else "",
        "began": min((result.started_at for result in shown), default=""),
        "banner": banner(shown),
        "tiles": [*tiles(shown), *mean_tiles(pairs, names)],
        "frameworks": [clean(name) for name in names],
        "environment": environment(by_framework),
        "results": columns(shown),
        "pairs": [
            [place[id(found.first)], place[id(found.other)], *found.cells()] for found in pairs
        ],
        "band": BETWEEN_PROCESSES,
        "fits": fits(shown),
        "gains": gains_table(results),
        "failures": [failure(result, place[id(result)]) for result in trouble(shown)],
        **network_views(networks),
    }


class FrameworkPair(NamedTuple):
    """Two frameworks on the same job, and the ratio of the second to the first."""

    first: Result
    other: Result
    ratio: Ratio

    def cells(self) -> list[Any]:
        """Return the ratio, its range and its judgement."""
        low, high = ratio_range(self.first, self.other) or (None, None)
        return [*map(compact, (self.ratio.value, low, high)), self.ratio.judgement]


def pairs_of(row: ReportRow, names: Sequence[str]) -> Iterator[FrameworkPair]:
    """Yield the first framework against each other one, where both have a time."""
    first = row.results.get(names[0])
    for name in names[1:]:
        other = row.results.get(name)
        found = ratio(first, other) if first and other else None
        if first and other and found:
            yield FrameworkPair(first, other, found)


def trouble(results: Sequence[Result]) -> list[Result]:
    """Return the results that are somebody's fault."""
    return [result for result in results if result.status in TROUBLE]


def banner(results: Sequence[Result]) -> dict[str, str]:
    """Return how it went, in one line."""
    counts = counts_text(result.status for result in results)
    if not results:
        return {"level": "bad", "text": "This run has no results"}
    if found := trouble(results):
        return {"level": "bad", "text": f"{len(found)} of {len(results)} results failed: {counts}"}
    timed = [result for result in results if result.seconds is not None]
    if doubtful := sum(not result.reliable for result in timed):
        share = f"{doubtful} of {len(timed)} times are not to be relied on"
        return {"level": "warn", "text": f"Nothing failed; {share}: {counts}"}
    return {"level": "good", "text": f"Nothing failed: {counts}"}


def tiles(results: Sequence[Result]) -> list[dict[str, str]]:
    """Return the counts that stand at the top."""
    timed = [result for result in results if result.status in TIMED]
    sound = sum(result.reliable for result in timed)
    operators = {result.operator.name for result in results}
    measured = {result.operator.name for result in timed}
    failed = len(trouble(results))
    doubtful = len(timed) - sound
    return [
        tile("reliable times", f"{sound}", "good" if sound else ""),
        tile("times not to be relied on", f"{doubtful}", "warn" if doubtful else ""),
        tile("failed", f"{failed}", "bad" if failed else ""),
        tile("not measured", f"{len(results) - len(timed) - failed}", ""),
        tile("operators with a time", f"{len(measured)} of {len(operators)}", ""),
    ]


def mean_tiles(pairs: Sequence[FrameworkPair], names: Sequence[str]) -> list[dict[str, str]]:
    """Return the geometric mean of each framework's reliable ratios to the first."""
    found = []
    for name in names[1:]:
        judged = [pair for pair in pairs if pair.other.operator.framework == name]
        mean = geometric_mean(pair.ratio for pair in judged)
        if mean.n + mean.left_out:
            label = f"geometric mean {clean(name)} / {clean(names[0])} {mean.text}"
            note = processors_note((pair.first, pair.other) for pair in judged)
            shown = "-" if mean.value is None else f"{mean.value:.2f}"
            found.append(tile(f"{label}; {note}" if note else label, shown, ""))
    return found


def fits(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return the lines through the sweeps among the results: fixed cost, and rate beyond it."""
    place = {id(result): index for index, result in enumerate(results)}
    return [
        {
            "rows": [place[id(result)] for result in found.results],
            "unit": found.unit,
            "overhead": compact(found.line.overhead),
            "rate": compact(found.line.rate),
        }
        for found in series(results)
        if found.line
    ]


def failure(result: Result, row: int) -> dict[str, Any]:
    """Return what is known of a failure, and the command that reproduces it."""
    return {
        "row": row,
        "signal": clean(result.signal or ""),
        "reason": shorten(clean(result.reason or ""), 1000),
        "log": log_end(result.stderr or ""),
        "direction": direction_text(result.operator.direction),
        "command": command(result),
    }


def log_end(text: str) -> str:
    """Return the end of what was printed, line by line, without control characters."""
    lines = [without_controls(line) for line in text[-LONGEST_LOG:].splitlines()]
    return "\n".join(lines).strip()
