"""Columns of text, made to fit a width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from opperf.reporting.text import cell_width, pad, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
"""Characters between two columns."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A header and its cells; `least` is the width down to which they may be cut, None: never."""

    header: str
    cells: Sequence[str]
    align: str = "left"
    least: int | None = None

    @property
    def width(self) -> int:
        """How wide it is uncut."""
        return max(map(cell_width, (self.header, *self.cells)))

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
    texts = [shorten(text, width, ascii_only=ascii_only) for text in (column.header, *column.cells)]
    return replace(column, header=texts[0], cells=texts[1:])


def draw(columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    """Return the lines of a table of columns of these widths; `rich.table` takes seconds for it."""
    padded = [
        [pad(text, width, column.align) for text in (column.header, *column.cells)]
        for column, width in zip(columns, widths, strict=True)
    ]
    return [(" " * GAP).join(cells).rstrip() for cells in zip(*padded, strict=True)]
