"""Rows on a stream, in the form that a user names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.registry import require_form
from opperf.reporting.subjects import Listing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO


def print_rows(
    rows: Sequence[Mapping[str, object]],
    form: str,
    stream: TextIO,
    *,
    width: int | None = None,
    keep: Sequence[str] = (),
    times: Sequence[str] = (),
) -> None:
    """Write flat objects in a form of rows: as a table, json (one array and nothing else), md, csv.

    Args:
        rows: the objects; columns are their keys in order of appearance.
        form: the name of a form of rows, a plug-in's included.
        stream: where to.
        width: how wide a table may be, None for as wide as the stream's terminal is.
        keep: the columns that matter most, the others give way to them.
        times: the columns of times, which people read in one unit.
    """
    listing = Listing(rows=rows, width=width, keep=keep, times=times)
    require_form(form, Listing).write(listing, stream)
