"""The page of a comparison: the verdicts on A against B, and what differs between the two."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from opperf.core.version import VERSION
from opperf.reporting.files import csv_rows, names
from opperf.reporting.page.columns import compact
from opperf.reporting.page.environment import environment
from opperf.reporting.page.network import network_views
from opperf.reporting.page.tiles import tile
from opperf.reporting.reproduction import command_again
from opperf.reporting.text import clean, shorten
from opperf.reporting.verdicts import counts, mean_ratios, worst_first
from opperf.reporting.wording import status_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.verdicts import Verdict

LEVELS = {
    "newly_fails": "bad",
    "wrong_result": "bad",
    "slower": "bad",
    "worse": "bad",
    "fails": "bad",
    "noisy": "warn",
    "undecided": "warn",
    "different": "warn",
    "no_value": "warn",
    "newly_works": "good",
    "faster": "good",
    "better": "good",
    "equivalent": "good",
}
NUMBERS = ("a_seconds", "b_seconds", "ratio")
OF_ARMS = ("arm", "reference", "job")
"""What only a row of one of several arms has."""
OF_A_METRIC = ("metric", "unit", "a_value", "b_value", "difference", "exact")
"""What only a row of another metric than the time has."""
LONGEST_REASON = 1000
FAILING = ("newly_fails", "wrong_result", "fails")
"""The verdicts that tell of a failure in either arm."""


def comparison_page(comparison: ComparisonReport) -> dict[str, Any]:
    """Return the data of a comparison's page."""
    sides = dict(zip(comparison.sides, comparison.environments, strict=False))
    rows = worst_first(comparison.verdicts)
    return {
        "title": f"opperf: {clean(comparison.title)}",
        "opperf": VERSION,
        "heading": clean(comparison.title),
        "origin": clean(comparison.command),
        "began": comparison.began,
        "notes": [clean(note) for note in comparison.notes],
        "banner": banner(comparison.verdicts),
        "tiles": tiles(comparison.verdicts),
        "environment": environment(sides),
        "verdicts": [plain(row) for row in rows],
        **({"arms": [clean(name) for name in comparison.arms]} if comparison.arms else {}),
        "band": comparison.min_effect,
        "failures": [
            {"row": index, "command": command_again(row, comparison)}
            for index, row in enumerate(rows)
            if row.verdict in FAILING and not row.control
        ],
        **network_views(comparison.networks),
    }


def write_comparison_csv(comparison: ComparisonReport, stream: TextIO) -> None:
    """Write a flat row a verdict, worst first: seconds, and ratios without a unit."""
    rows = [plain(row) for row in worst_first(comparison.verdicts)]
    if rows:
        csv_rows(rows, names(rows), stream)


def plain(row: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON: texts in one line, numbers to five digits."""
    found = {
        name: clean(value) if isinstance(value, str) else value
        for name, value in asdict(row).items()
    }
    found |= {name: compact(found[name]) for name in NUMBERS}
    if row.metric is None:
        found = {name: value for name, value in found.items() if name not in OF_A_METRIC}
    if row.arm is None:
        found = {name: value for name, value in found.items() if name not in OF_ARMS}
    ends = [compact(end) for end in row.interval or ()]
    return found | {
        "interval": ends if ends and None not in ends else None,
        "reason": shorten(found["reason"] or "", LONGEST_REASON),
    }


def banner(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return what it comes to, in one line."""
    found = counts(verdicts)
    text = ", ".join(f"{number} {status_words(name)}" for name, number in found.items())
    regressions = sum(row.holds_back for row in verdicts)
    if regressions:
        return {"level": "bad", "text": f"{regressions} confirmed regressions or failures: {text}"}
    level = "warn" if any(LEVELS[name] != "good" for name in found) or not found else "good"
    return {"level": level, "text": f"No confirmed regression: {text or 'nothing in common'}"}


def tiles(verdicts: Sequence[Verdict]) -> list[dict[str, str]]:
    """Return a tile a verdict that was given, and the geometric mean: of each arm its own."""
    found = [
        tile(status_words(name), f"{number}", LEVELS[name])
        for name, number in counts(verdicts).items()
    ]
    return found + [
        tile(f"geometric mean {clean(title)} {mean.text}", f"{mean.value:.3f}", "")
        for title, mean in mean_ratios(verdicts)
    ]
