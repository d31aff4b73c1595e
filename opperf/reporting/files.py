"""Results and other rows on a stream: as a table, JSON, Markdown or CSV, one function a form."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from opperf.core.units import MISSING, format_seconds
from opperf.reporting.color import colored
from opperf.reporting.escaping import csv_cell, markdown
from opperf.reporting.layout import GAP, Column, hidden_lines, render, spare
from opperf.reporting.one_unit import in_one_unit, is_time
from opperf.reporting.text import clean, is_ascii, to_ascii
from opperf.reporting.text import columns as screen_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

    from opperf.reporting.subjects import Listing, Run

    Rows = Sequence[Mapping[str, object]]

LEAST = 8
"""Characters that every column of a list keeps."""
LEAST_OF_NAME = 24
"""Characters that the first one keeps where others are named that give way."""
SHOWN = 1e-3
"""The precision to which times are shown that come as numbers: four digits."""


def write_json(run: Run, stream: TextIO) -> None:
    """Write one array with a line a record."""
    lines = ",\n".join(result.to_json() for result in run.results)
    stream.write(f"[\n{lines}\n]\n" if lines else "[]\n")


def write_jsonl(run: Run, stream: TextIO) -> None:
    """Write a line a record, as the journal has them."""
    stream.writelines(result.to_json() + "\n" for result in run.results)


def write_csv(run: Run, stream: TextIO) -> None:
    """Write flat rows below their header."""
    from opperf.reporting.rows import FIELDS, rows_of

    rows = rows_of(run.results)
    csv_rows(rows, names(rows) or FIELDS, stream)


def write_markdown(run: Run, stream: TextIO) -> None:
    """Write the frameworks side by side, uncut, and below it the same lines as on a terminal."""
    from opperf.reporting.sheet import Sheet
    from opperf.reporting.table import endings, full, legend

    ascii_only = is_ascii(stream)
    sheet = Sheet(run.results, ascii_only=ascii_only)
    columns = full(sheet) if sheet.rows else []
    counts, *more = endings(sheet, run.results)
    below = [*legend(sheet, columns), *more]
    listed = "".join(f"- {markdown(line)}\n" for line in below)
    table = markdown_table(columns) + "\n\n" if columns else ""
    text = table + counts + "\n" + (f"\n{listed}" if listed else "")
    stream.write(to_ascii(text) if ascii_only else text)


def print_json(listing: Listing, stream: TextIO) -> None:
    """Write an array of objects, indented."""
    stream.write(json.dumps([*listing.rows], indent=2, default=str, allow_nan=False) + "\n")


def print_csv(listing: Listing, stream: TextIO) -> None:
    """Write rows below their header; nothing for no rows."""
    if listing.rows:
        csv_rows(listing.rows, names(listing.rows), stream)


def print_markdown(listing: Listing, stream: TextIO) -> None:
    """Write a Markdown table; nothing for no rows."""
    if listing.rows:
        text = markdown_table(text_columns(listing))
        stream.write((to_ascii(text) if is_ascii(stream) else text) + "\n")


def print_table(listing: Listing, stream: TextIO) -> None:
    """Write a table for a terminal; nothing for no rows."""
    if listing.rows:
        found, ascii_only = text_columns(listing), is_ascii(stream)
        widest = sum(column.width + GAP for column in found)
        width = listing.width or screen_columns(stream, widest)
        shown, hidden = spare(found, width, order_of_omission(found, listing.keep))
        lines = [*render(shown, width, ascii_only=ascii_only), *hidden_lines(hidden, width)]
        text = "\n".join(lines)
        stream.write(colored(to_ascii(text) if ascii_only else text, stream) + "\n")


def order_of_omission(columns: Sequence[Column], keep: Sequence[str]) -> list[str]:
    """Return what is left out where there is no room: from the right, what matters last.

    The first column, which says what a row is of, always stays.
    """
    headers = [column.header for column in columns[1:]]
    order = reversed([*keep, *(header for header in headers if header not in keep)])
    return [header for header in order if header in headers]


def names(rows: Rows) -> list[str]:
    """Return the keys of all rows in order of appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def text_columns(listing: Listing) -> list[Column]:
    """Return the rows as columns of text, all times in one unit."""
    rows, chosen = listing.rows, names(listing.rows)
    named = {
        name: [time_text(row.get(name)) for row in rows] for name in chosen if name in listing.times
    }
    of_time = {name: texts for name, texts in named.items() if any(map(is_time, texts))}
    cells, unit = in_one_unit([text for texts in of_time.values() for text in texts])
    times = {name: cells[i * len(rows) : (i + 1) * len(rows)] for i, name in enumerate(of_time)}
    return [
        Column(header=clean(name), cells=times[name], align="right", unit=unit)
        if name in times
        else Column(
            header=clean(name),
            cells=[cell_text(row.get(name)) for row in rows],
            least=LEAST_OF_NAME if listing.keep and not at else LEAST,
        )
        for at, name in enumerate(chosen)
    ]


def time_text(value: object) -> str:
    """Return a time as a text; whatever else stands in its column as any value."""
    return format_seconds(value, SHOWN) if isinstance(value, float) else cell_text(value)


def cell_text(value: object) -> str:
    """Return a value as a person reads it, in one line; a dash for what is missing."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell_text, value))
    return clean(value)


def csv_rows(rows: Rows, fields: Sequence[str], stream: TextIO) -> None:
    """Write rows as CSV below their header."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(csv_cell, fields))
    writer.writerows([csv_cell(row.get(name)) for name in fields] for row in rows)


def markdown_table(columns: Iterable[Column]) -> str:
    """Return a GitHub table of columns, escaped."""
    from tabulate import tabulate

    chosen = [*columns]
    rows = zip(*(map(markdown, column.cells) for column in chosen), strict=True)
    return tabulate(
        [*rows],
        headers=[markdown(column.title) for column in chosen],
        tablefmt="github",
        disable_numparse=True,
        colalign=[column.align for column in chosen],
    )
