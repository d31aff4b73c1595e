"""The order of a table's rows and the choice of its columns."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.reporting.pairing import companions, pair, without_companions
from opperf.reporting.sheet import MEMORY, RATIO
from opperf.reporting.wording import operator_text, precision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opperf.core.results.result import Result
    from opperf.reporting.layout import Column
    from opperf.reporting.pairing import ReportRow
    from opperf.reporting.sheet import Sheet

COLUMNS: dict[str, Callable[[Sheet], list[Column]]] = {
    "operator": lambda sheet: [sheet.operator()],
    "inputs": lambda sheet: [sheet.inputs()],
    "direction": lambda sheet: [sheet.direction()],
    "time": lambda sheet: sheet.times(),
    RATIO: lambda sheet: sheet.ratio(),
    "output": lambda sheet: [sheet.output()],
    "rate": lambda sheet: sheet.rates(),
    MEMORY: lambda sheet: sheet.memories(),
    "metrics": lambda sheet: sheet.others(),
    "notes": lambda sheet: sheet.notes(),
}
"""What a table's columns are asked for by; some are a column a framework."""
ORDERS: dict[str, Callable[[Sequence[ReportRow]], Any]] = {
    "name": lambda rows: operator_text(rows[0].subject).casefold(),
    "time": lambda rows: -max(times(rows), default=-inf),
    RATIO: lambda rows: -max((row.ratio.value for row in rows if row.ratio), default=-inf),
    "precision": lambda rows: -max(precisions(rows), default=-inf),
}
"""What operators are sorted by: the slowest first, the largest ratio, the least precise."""


def times(rows: Sequence[ReportRow]) -> list[float]:
    """Return every time of an operator's rows."""
    found = (result.seconds for row in rows for result in row.results.values())
    return [seconds for seconds in found if seconds is not None]


def precisions(rows: Sequence[ReportRow]) -> list[float]:
    """Return the precision of every time of an operator's rows."""
    found = (precision(result) for row in rows for result in row.results.values())
    return [known for known in found if known is not None]


def sort_results(results: Sequence[Result], order: str | None) -> list[Result]:
    """Return the results with their operators in this order, each with all of its rows.

    What ties keeps its order, and what has no such number comes last.
    """
    if order is None:
        return [*results]
    jobs: list[list[ReportRow]] = []
    for row in pair(without_companions(results)):
        if row.leads:
            jobs.append([])
        jobs[-1].append(row)
    ordered = sorted(jobs, key=ORDERS[order])
    found = [result for rows in ordered for row in rows for result in row.results.values()]
    return [*found, *companions(results)]


def column_names(text: str) -> tuple[str, ...]:
    """Return the names in "operator,time".

    Raises:
        UsageError: one is of no column.
    """
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name not in COLUMNS:
            raise UsageError(unknown("column", name, COLUMNS, " in --columns"))
    return names


def chosen_columns(sheet: Sheet, names: Sequence[str]) -> list[Column]:
    """Return the columns of these names, in their order."""
    return [column for name in names for column in COLUMNS[name](sheet)]
