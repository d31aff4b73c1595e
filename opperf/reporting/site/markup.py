"""Tables of a list page as HTML: every text of a record is escaped, every link made by us."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Literal, NamedTuple

from opperf.core.units import MISSING
from opperf.reporting.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST_CELL = 200


class ListCell(NamedTuple):
    """A cell: its text, where it leads, what it is sorted by where it is a number, its level."""

    text: str
    link: str = ""
    value: float | None = None
    level: str = ""


class ListColumn(NamedTuple):
    """A column's heading, and what stands in it: numbers, words never broken, or sentences."""

    title: str
    kind: Literal["", "number", "word", "sentence"] = ""


def escaped(text: object) -> str:
    """Return a text of somebody else as HTML, in one line and not too long."""
    return html.escape(shorten(clean(text), LONGEST_CELL))


def list_section(
    identity: str, title: str, columns: Sequence[ListColumn], rows: Iterable[Sequence[ListCell]]
) -> str:
    """Return a section with a table."""
    heads = "".join(
        f'<th scope="col" class="{column.kind}">{escaped(column.title)}</th>' for column in columns
    )
    body = "\n".join(list_row(columns, row) for row in rows)
    return (
        f'<section id="{identity}" aria-labelledby="{identity}-title">'
        f'<h2 id="{identity}-title">{escaped(title)}</h2>\n'
        f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(title)}, table">'
        f'<table class="list"><thead><tr>{heads}</tr></thead><tbody>\n{body}\n</tbody></table>'
        "</div></section>"
    )


def list_row(columns: Sequence[ListColumn], row: Sequence[ListCell]) -> str:
    """Return a row of a table."""
    return f"<tr>{''.join(map(list_cell, columns, row))}</tr>"


def list_cell(column: ListColumn, cell: ListCell) -> str:
    """Return a cell; what a number is sorted by stands beside its text."""
    text = escaped(cell.text) or MISSING
    if cell.link:
        text = f'<a href="{cell.link}">{text}</a>'
    classes = f"{column.kind} {cell.level}".strip()
    value = "" if cell.value is None else repr(cell.value)
    sorting = f' data-value="{value}"' if column.kind == "number" else ""
    return f'<td class="{classes}"{sorting}>{text}</td>'


def count_cell(number: int, level: str = "") -> ListCell:
    """Return a count; one above zero has the level."""
    return ListCell(str(number), value=number, level=level if number else "")


def summary_section(
    heading: str, banner: Mapping[str, str], tiles: Iterable[Mapping[str, str]], note: str = ""
) -> str:
    """Return what stands at the top of a page: a heading, a line, and numbers."""
    boxes = "".join(
        f'<div class="{tile["level"]}"><dt>{escaped(tile["label"])}</dt>'
        f"<dd>{escaped(tile['value'])}</dd></div>"
        for tile in tiles
    )
    return (
        '<section id="summary" aria-labelledby="title">'
        f'<h1 id="title">{escaped(heading)}</h1>'
        f'<p class="banner {banner["level"]}">{escaped(banner["text"])}</p>'
        + (f'<p class="note">{escaped(note)}</p>' if note else "")
        + f'<dl class="tiles">{boxes}</dl></section>'
    )
