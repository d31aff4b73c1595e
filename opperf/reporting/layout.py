"""Columns of text, made to fit a width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from opperf.reporting.text import cell_width, fold, pad, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
"""Characters between two columns."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A header and its cells; `least` is the width down to which they may be cut, None: never.

    `unit` is that of all its cells; the title names it, and keeps it where it is cut.
    """

    header: str
    cells: Sequence[str]
    align: str = "left"
    least: int | None = None
    unit: str = ""

    @property
    def title(self) -> str:
        """What stands above the cells: "numpy [us]"."""
        return self.header + self.unit_text

    @property
    def unit_text(self) -> str:
        """The unit as the title has it."""
        return f" [{self.unit}]" if self.unit else ""

    @cached_property
    def width(self) -> int:
        """How wide it is uncut."""
        return max(map(cell_width, (self.title, *self.cells)))

    @property
    def narrowest(self) -> int:
        """How wide it must be."""
        return self.width if self.least is None else min(self.least, self.width)


def fits(columns: Sequence[Column], width: int) -> bool:
    """Return whether the columns fit once all are cut to their least width."""
    return least_width(columns) <= width


def least_width(columns: Sequence[Column]) -> int:
    """Return the width of all columns, each cut to its least width."""
    return sum(column.narrowest for column in columns) + GAP * (len(columns) - 1)


def spare(
    columns: Sequence[Column], width: int, order: Sequence[str]
) -> tuple[list[Column], list[str]]:
    """Return the columns that there is room for, and the headers of those that there is not.

    Args:
        columns: all of them.
        width: characters of a line.
        order: headers of what may be left out, the first first.
    """
    left = [*columns]
    for header in order:
        if fits(left, width):
            break
        left = [column for column in left if column.header != header]
    shown = {column.header for column in left}
    return left, [column.header for column in columns if column.header not in shown]


def hidden_lines(headers: Sequence[str], width: int) -> list[str]:
    """Return the lines that name the columns without room, however narrow the screen; none of none.

    A name that no line holds is divided.
    """
    named = ", ".join(filter(None, dict.fromkeys(headers)))
    return fold(f"not shown at {width} columns: {named}", width) if named else []


def render(columns: Sequence[Column], width: int, *, ascii_only: bool = False) -> list[str]:
    """Return the lines of a table of at most that width."""
    widths = share_out(columns, width)
    fitted = [
        cut(column, width, ascii_only=ascii_only)
        for column, width in zip(columns, widths, strict=True)
    ]
    lines = draw(fitted, [column.width for column in fitted])
    return [shorten(line, width, ascii_only=ascii_only) for line in lines]


def share_out(columns: Sequence[Column], width: int) -> list[int]:
    """Return each column's width: what is spare is shared evenly among those that lack some."""
    widths = [column.narrowest for column in columns]
    spare = max(width - least_width(columns), 0)
    short = sorted(range(len(columns)), key=lambda index: columns[index].width - widths[index])
    for position, index in enumerate(short):
        share = spare // (len(short) - position)
        growth = min(share, columns[index].width - widths[index])
        widths[index] += growth
        spare -= growth
    return widths


def cut(column: Column, width: int, *, ascii_only: bool) -> Column:
    """Return the column no wider than that."""
    room = max(width - len(column.unit_text), 0)
    header = shorten(column.header, room, ascii_only=ascii_only)
    cells = [shorten(text, width, ascii_only=ascii_only) for text in column.cells]
    return replace(column, header=header, cells=cells)


def draw(columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    """Return the lines of a table of columns of these widths; `rich.table` takes seconds for it."""
    padded = [
        [pad(text, width, column.align) for text in (column.title, *column.cells)]
        for column, width in zip(columns, widths, strict=True)
    ]
    return [(" " * GAP).join(cells).rstrip() for cells in zip(*padded, strict=True)]
