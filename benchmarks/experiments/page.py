"""The page docs/lab/accuracy.md, and the same figures for the terminal."""

from __future__ import annotations

import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.finding import Table, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from experiments.finding import Figure, Finding

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
MISSES = Path(__file__).with_name("misses.toml")
"""Why a target is missed and what was tried, kept by hand: the page is written anew each time."""
MOST_MISSED, ATTEMPTS = 2, 3
OVERVIEW = ("experiment", "figure", "found", "target", "met")

HEAD = """\
# Accuracy

<!-- Written by benchmarks/accuracy.py. Causes and attempts come from
benchmarks/experiments/misses.toml; anything else that is changed here is lost. -->

How far opperf's figures are from what is known to be true, and how fast it gets there beside its
peers. Each experiment ran in a process of its own, with one thread and the environment of a
measuring child, E6P in that of a user's own.
"""


def page(
    findings: Sequence[Finding], command: str, misses: Mapping[str, Any], head: str = HEAD
) -> str:
    """Return the whole page."""
    parts = [head, *machine(findings, command), summary(findings), table(overview(findings))]
    for finding in findings:
        parts += section(finding, misses.get(finding.name, {}))
    return "\n".join(parts).rstrip() + "\n"


def read_misses(path: Path = MISSES) -> Mapping[str, Any]:
    """Return the causes and attempts by experiment."""
    found: Mapping[str, Any] = tomllib.loads(path.read_text()) if path.exists() else {}
    return found


def machine(findings: Sequence[Finding], command: str) -> Iterator[str]:
    """Yield where, when and how the figures came about."""
    facts = findings[0].circumstances
    dates = sorted(str(finding.circumstances["began"]) for finding in findings)
    kind = "quick run: fewer rounds, none of these figures is the record" if facts["quick"] else ""
    lines = {
        "machine": facts["machine"],
        "software": facts["software"],
        "date": dates[0] if dates[0][:10] == dates[-1][:10] else f"{dates[0]} to {dates[-1]}",
        "command": f"`{command}`",
        "kind": kind,
    }
    yield from (f"* {name}: {value}" for name, value in lines.items() if value)
    yield ""


def summary(findings: Sequence[Finding]) -> str:
    """Return in a sentence how many targets were met."""
    missed = [finding.name for finding in findings if finding.verdict == "missed"]
    pending = [finding.name for finding in findings if finding.verdict == "pending"]
    parts = [f"{sum(f.verdict == 'met' for f in findings)} of {len(findings)} experiments met"]
    parts += [f"missed: {', '.join(missed)}"] if missed else []
    parts += [f"pending: {', '.join(pending)}"] if pending else []
    return f"**{'; '.join(parts)}.**\n"


def overview(findings: Sequence[Finding]) -> Table:
    """Return the table of figures that have a target."""
    rows = []
    for finding in findings:
        name = f"{finding.name} {finding.title}"
        if finding.pending:
            rows.append([name, "pending", finding.pending, "", ""])
        asked = [figure for figure in finding.figures if figure.met is not None]
        rows += [[name, f.what, f.figure, f.target, mark(f)] for f in asked]
    return Table(caption="", headers=OVERVIEW, rows=rows)


def mark(figure: Figure) -> str:
    """Return whether a figure met its target, in a word."""
    return {True: "yes", False: "**no**", None: ""}[figure.met]


def section(finding: Finding, miss: Mapping[str, Any]) -> Iterator[str]:
    """Yield an experiment's part of the page."""
    yield f"## {finding.name} {finding.title}: {finding.verdict}\n"
    yield finding.method.strip() + "\n"
    facts = finding.circumstances
    yield f"Took {facts['seconds']:.0f} s from {facts['began']}. {neighbors(facts)}\n"
    if finding.pending:
        yield f"Pending: {finding.pending}.\n"
    yield from (f"* {figure.what}: {figure.figure}" for figure in finding.figures)
    yield from (f"* {note}" for note in finding.notes)
    yield ""
    for found in finding.tables:
        yield f"{found.caption}:\n"
        yield table(found)
    if finding.verdict == "missed":
        yield from excuse(miss)


def neighbors(facts: Mapping[str, Any]) -> str:
    """Return in a sentence how much of the machine others used."""
    before, after = (percent(facts[key], 0) for key in ("slow_before", "slow_after"))
    return f"Fixed work was slowed by others {before} of the time before and {after} after."


def excuse(miss: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cause of a miss and what was tried against it, or that neither is known yet."""
    attempts = miss.get("attempts", [])
    yield f"Cause of the miss: {str(miss.get('cause', 'not found yet')).strip()}\n"
    yield f"Attempts ({len(attempts)}; {ATTEMPTS} are asked for):\n"
    for attempt in attempts:
        yield f"* {attempt['date']}: {attempt['what'].strip()} Found: {attempt['found'].strip()}"
    yield "" if attempts else "* none recorded yet\n"


def table(found: Table) -> str:
    """Return a table in Markdown."""
    rows = [found.headers, ["---"] * len(found.headers), *found.rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def plain(finding: Finding) -> str:
    """Return an experiment's figures for the terminal."""
    lines = [f"{finding.name} {finding.title}: {finding.verdict}"]
    lines += [f"  pending: {finding.pending}"] if finding.pending else []
    for figure in finding.figures:
        target = f"  (target {figure.target})" if figure.target else ""
        missed = "  MISSED" if figure.met is False else ""
        lines.append(f"  {figure.what}: {figure.figure}{target}{missed}")
    lines += [textwrap.indent(note, "  ") for note in finding.notes]
    return "\n".join(lines)
