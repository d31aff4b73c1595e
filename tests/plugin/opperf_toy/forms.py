"""An output form of the plug-in: a line a row, result or verdict, its parts between colons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.form import Form
from opperf.reporting.subjects import Listing, Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    Parts = Iterator[tuple[object, ...]]


def write_lines(subject: Listing | Run | ComparisonReport, stream: TextIO) -> None:
    """Write a line an entry."""
    stream.writelines(":".join(map(str, parts)) + "\n" for parts in entries(subject))


def entries(subject: Listing | Run | ComparisonReport) -> Parts:
    """Yield the parts of each entry."""
    if isinstance(subject, Listing):
        yield from (tuple(row.values()) for row in subject.rows)
    elif isinstance(subject, Run):
        for result in subject.results:
            yield result.operator["name"], result.operator["framework"], result.status
    else:
        for verdict in subject.verdicts:
            yield verdict.operator, verdict.framework, verdict.verdict


FORM = Form(
    name="toy",
    subjects=(Listing, Run, ComparisonReport),
    suffix=".toy",
    help="a line an entry",
    write=write_lines,
)
