"""Columns as the HTML that a notebook shows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.reporting.layout import Column


def to_html(columns: Sequence[Column], below: Iterable[str]) -> str:
    """Return a table, all of its texts escaped, and the lines below it."""
    table = tabulate(
        [*zip(*(column.cells for column in columns), strict=True)],
        headers=[escape(column.title) for column in columns],
        tablefmt="html",
        disable_numparse=True,
        colalign=[column.align for column in columns] if columns and columns[0].cells else None,
    )
    lines = "<br>\n".join(map(escape, below))
    return f"{table}\n<p>{lines}</p>" if lines else str(table)
