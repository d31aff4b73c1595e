"""The index of a site: what changed, all runs, comparisons and operators, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.units import MISSING
from opperf.core.version import VERSION
from opperf.reporting.page.tiles import tile
from opperf.reporting.site.document import list_document
from opperf.reporting.site.markup import (
    ListCell,
    ListColumn,
    count_cell,
    list_section,
    summary_section,
)
from opperf.reporting.site.pages import change_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.reporting.site.ledger import Ledger, OperatorEntry, RunEntry

RUN_COLUMNS = (
    ListColumn("Run", "word"), ListColumn("Outcome", "sentence"), ListColumn("Results", "number"),
    ListColumn("Began (UTC)", "word"), ListColumn("Frameworks"), ListColumn("Machine"),
    ListColumn("Command", "sentence"),
)  # fmt: skip
COMPARISON_COLUMNS = (
    ListColumn("Comparison", "sentence"), ListColumn("Outcome", "sentence"),
    ListColumn("Rows", "number"), ListColumn("Began (UTC)", "word"),
    ListColumn("Command", "sentence"),
)  # fmt: skip
OPERATOR_COLUMNS = (
    ListColumn("Operator"), ListColumn("Last change", "number"),
    ListColumn("Slower", "number"), ListColumn("Faster", "number"),
    ListColumn("Series", "number"), ListColumn("Runs", "number"), ListColumn("Newest", "word"),
    ListColumn("Category"), ListColumn("Frameworks"),
)  # fmt: skip
LEFT_OUT_COLUMNS = (ListColumn("Run", "word"), ListColumn("Why", "sentence"))
TITLE = "Runs and operators"


def index_document(ledger: Ledger) -> bytes:
    """Return the page of a ledger."""
    runs = newest_first(ledger, "run")
    comparisons = newest_first(ledger, "comparison")
    left_out = [(name, entry) for name, entry in sorted(ledger.runs.items()) if remark_of(entry)]
    operators = sorted(ledger.operators.items(), key=lambda item: (item[0].lower(), item[0]))
    sections = {
        "operators": ("Operators", OPERATOR_COLUMNS, [operator_cells(*one) for one in operators]),
        "runs": ("Runs", RUN_COLUMNS, [run_cells(*one) for one in runs]),
        "comparisons": (
            "Comparisons", COMPARISON_COLUMNS, [comparison_cells(*one) for one in comparisons]
        ),
        "left-out": ("Damaged", LEFT_OUT_COLUMNS, [left_out_cells(*one) for one in left_out]),
    }  # fmt: skip
    shown = {identity: parts for identity, parts in sections.items() if parts[2]}
    contents = "".join(f'<a href="#{identity}">{parts[0]}</a>' for identity, parts in shown.items())
    tables = "\n".join(list_section(identity, *parts) for identity, parts in shown.items())
    return list_document(f"opperf: {TITLE}", contents, f"{summary(ledger)}\n{tables}")


def newest_first(ledger: Ledger, kind: str) -> list[tuple[str, RunEntry]]:
    """Return the runs, or the comparisons, that have a page."""
    found = [(name, entry) for name, entry in ledger.runs.items() if entry.kind == kind]
    return sorted(found, key=lambda item: (item[1].began, item[0]), reverse=True)


def remark_of(entry: RunEntry) -> str:
    """Return what was left out of a run, or why all of it was."""
    return entry.left_out or entry.warning


def summary(ledger: Ledger) -> str:
    """Return the top of the page."""
    operators = ledger.operators.values()
    slower = [one for one in operators if one.slower]
    faster = [one for one in operators if one.faster]
    lost = sum(bool(one.left_out) for one in ledger.runs.values())
    kinds = [one.kind for one in ledger.runs.values()]
    newest = max((one.began for one in ledger.runs.values()), default="")
    level = "bad" if slower else "warn" if lost else "good"
    text = (
        f"{len(slower)} of {len(operators)} operators became slower in a series"
        if operators
        else "There are no results yet"
    )
    tiles = [
        tile("runs", f"{kinds.count('run')}", ""),
        tile("comparisons", f"{kinds.count('comparison')}", ""),
        tile("operators", f"{len(operators)}", ""),
        tile("operators slower", f"{len(slower)}", "bad" if slower else ""),
        tile("operators faster", f"{len(faster)}", "good" if faster else ""),
        *([tile("runs left out", f"{lost}", "warn")] if lost else []),
    ]
    since = f"Newest run: {moment(newest)} UTC. " if newest else ""
    note = f"{since}Written by opperf {VERSION}."
    return summary_section(TITLE, {"level": level, "text": text}, tiles, note)


def operator_cells(name: str, entry: OperatorEntry) -> list[ListCell]:
    """Return the row of an operator."""
    ratio = entry.last_ratio
    return [
        ListCell(name, link=entry.page),
        ListCell(MISSING) if ratio is None else change_cell(ratio, entry.last_change),
        count_cell(entry.slower, "bad"),
        count_cell(entry.faster, "good"),
        count_cell(entry.series),
        count_cell(entry.runs),
        ListCell(entry.newest),
        ListCell(entry.category),
        ListCell(", ".join(entry.frameworks)),
    ]


def run_cells(name: str, entry: RunEntry) -> list[ListCell]:
    """Return the row of a run."""
    return [
        ListCell(name, link=entry.page),
        ListCell(entry.text, level=entry.level),
        count_cell(entry.results),
        ListCell(moment(entry.began)),
        ListCell(", ".join(entry.frameworks)),
        ListCell(entry.machine),
        ListCell(entry.command),
    ]


def comparison_cells(name: str, entry: RunEntry) -> list[ListCell]:
    """Return the row of a comparison."""
    return [
        ListCell(f"{name} {entry.heading}", link=entry.page),
        ListCell(entry.text, level=entry.level),
        count_cell(entry.results),
        ListCell(moment(entry.began)),
        ListCell(entry.command),
    ]


def left_out_cells(name: str, entry: RunEntry) -> list[ListCell]:
    """Return the row of a run of which something could not be read."""
    return [ListCell(name, link=entry.page), ListCell(remark_of(entry), level="warn")]


def moment(text: str) -> str:
    """Return a record's time to the minute, as it stands there."""
    return text[:16].replace("T", " ")


def names_of(entries: Iterable[RunEntry | OperatorEntry]) -> set[str]:
    """Return the files that entries stand for."""
    return {
        name for entry in entries for name in (entry.page, getattr(entry, "points", "")) if name
    }
