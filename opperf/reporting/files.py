"""Results and other rows on a stream, one function a form."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from tabulate import tabulate

from opperf.core.errors import UsageError, unknown
from opperf.core.units import MISSING
from opperf.reporting.escaping import csv_cell, markdown
from opperf.reporting.layout import Column, render
from opperf.reporting.rows import FIELDS, flat
from opperf.reporting.sheet import Sheet
from opperf.reporting.table import endings, full, legend
from opperf.reporting.text import clean, is_ascii, to_ascii

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TextIO

    from opperf.core.results.result import Result

    Rows = Sequence[Mapping[str, object]]

LEAST = 8
"""Characters that every column of a list keeps."""


def write(results: Sequence[Result], form: str, stream: TextIO) -> None:
    """Write the results as json (an array of records), jsonl, csv (flat rows) or md."""
    if form not in WRITERS:
        raise UsageError(unknown("output format", form, WRITERS))
    WRITERS[form](results, stream)


def write_json(results: Sequence[Result], stream: TextIO) -> None:
    """Write one array with a line a record."""
    lines = ",\n".join(result.to_json() for result in results)
    stream.write(f"[\n{lines}\n]\n" if lines else "[]\n")


def write_jsonl(results: Sequence[Result], stream: TextIO) -> None:
    """Write a line a record, as the journal has them."""
    stream.writelines(result.to_json() + "\n" for result in results)


def write_csv(results: Sequence[Result], stream: TextIO) -> None:
    """Write flat rows below their header."""
    csv_rows([flat(result) for result in results], FIELDS, stream)


def write_markdown(results: Sequence[Result], stream: TextIO) -> None:
    """Write the frameworks side by side, uncut, and below it the same lines as on a terminal."""
    ascii_only = is_ascii(stream)
    sheet = Sheet(results, ascii_only=ascii_only)
    columns = full(sheet) if sheet.rows else []
    counts, *more = endings(sheet, results)
    below = [*legend(sheet, columns), *more]
    listed = "".join(f"- {markdown(line)}\n" for line in below)
    table = markdown_table(columns) + "\n\n" if columns else ""
    text = table + counts + "\n" + (f"\n{listed}" if listed else "")
    stream.write(to_ascii(text) if ascii_only else text)


WRITERS: Mapping[str, Callable[[Sequence[Result], TextIO], None]] = {
    "json": write_json,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "md": write_markdown,
}


def print_rows(rows: Rows, form: str, stream: TextIO, *, width: int | None = None) -> None:
    """Write flat objects as a table, json (one array and nothing else), md or csv.

    Args:
        rows: the objects; columns are their keys in order of appearance.
        form: "table", "json", "md" or "csv".
        stream: where to.
        width: how wide a table may be, None for as wide as it comes.
    """
    if form not in PRINTERS:
        raise UsageError(unknown("format", form, PRINTERS))
    PRINTERS[form](rows, stream, width)


def print_json(rows: Rows, stream: TextIO, _width: int | None) -> None:
    """Write an array of objects, indented."""
    stream.write(json.dumps([*rows], indent=2, default=str, allow_nan=False) + "\n")


def print_csv(rows: Rows, stream: TextIO, _width: int | None) -> None:
    """Write rows below their header; nothing for no rows."""
    if rows:
        csv_rows(rows, names(rows), stream)


def print_markdown(rows: Rows, stream: TextIO, _width: int | None) -> None:
    """Write a Markdown table; nothing for no rows."""
    if rows:
        text = markdown_table(text_columns(rows))
        stream.write((to_ascii(text) if is_ascii(stream) else text) + "\n")


def print_table(rows: Rows, stream: TextIO, width: int | None) -> None:
    """Write a table for a terminal; nothing for no rows."""
    if rows:
        columns, ascii_only = text_columns(rows), is_ascii(stream)
        widest = sum(column.width + len("  ") for column in columns)
        text = "\n".join(render(columns, width or widest, ascii_only=ascii_only))
        stream.write((to_ascii(text) if ascii_only else text) + "\n")


PRINTERS: Mapping[str, Callable[[Rows, TextIO, int | None], None]] = {
    "table": print_table,
    "json": print_json,
    "md": print_markdown,
    "csv": print_csv,
}


def names(rows: Rows) -> list[str]:
    """Return the keys of all rows in order of appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def text_columns(rows: Rows) -> list[Column]:
    """Return the rows as columns of text."""
    return [
        Column(header=clean(name), cells=[shown(row.get(name)) for row in rows], least=LEAST)
        for name in names(rows)
    ]


def shown(value: object) -> str:
    """Return a value as a person reads it, in one line; a dash for what is missing."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(shown, value))
    return clean(value)


def csv_rows(rows: Rows, fields: Sequence[str], stream: TextIO) -> None:
    """Write rows as CSV below their header."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(csv_cell, fields))
    writer.writerows([csv_cell(row.get(name)) for name in fields] for row in rows)


def markdown_table(columns: Iterable[Column]) -> str:
    """Return a GitHub table of columns, escaped."""
    chosen = [*columns]
    rows = zip(*(map(markdown, column.cells) for column in chosen), strict=True)
    return tabulate(
        [*rows],
        headers=[markdown(column.header) for column in chosen],
        tablefmt="github",
        disable_numparse=True,
        colalign=[column.align for column in chosen],
    )
