"""Results as the table that a notebook shows.

A result is `opperf.core.results.result.Result`, which imports this module and not the reverse.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from opperf.core.results.line import shape_text, unreliability
from opperf.core.units import coarsest, format_precision, format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADERS = ("operator", "direction", "framework", "device", "inputs", "time", "±", "status", "")


def html_table(results: Iterable[Any]) -> str:
    """Return a table with a row a result, all of its texts escaped."""
    rows = [HEADERS, *map(cells_of_result, results)]
    head, *body = (
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
        for row, tag in zip(rows, ["th", *["td"] * (len(rows) - 1)], strict=True)
    )
    lines = "\n".join(f"<tr>{line}</tr>" for line in body)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"


def cells_of_result(result: Any) -> tuple[str, ...]:
    """Return the cells of a result; the last one says why its time is missing or unreliable."""
    operator, precision = result.operator, result.summary and result.summary.precision
    missing = result.seconds is None
    doubt = "" if missing or result.reliable else unreliability(result)
    return (
        operator.name,
        operator.direction,
        operator.framework,
        operator.device,
        " ".join(f"{item.name}={shape_text(item.shape)}" for item in result.inputs),
        "-" if missing else format_seconds(result.seconds, coarsest(result.seconds, precision)),
        "" if missing else format_precision(precision),
        result.status,
        (result.reason or "") if missing else doubt,
    )
