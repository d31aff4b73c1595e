"""Results as a short table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.results.reading import from_mapping
from opperf.core.units import format_precision, format_quantity, format_seconds
from opperf.reporting.layout import Column, render
from opperf.reporting.text import clean, columns, is_ascii, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.specs.reporters.meta import Meta

WIDEST = 100
"""Characters where the output is no terminal."""
COMMIT = 12
NARROW = 16


class ScreenReporter:
    """Prints a line of what ran where, and a row for each record.

    Raises:
        UsageError: a target is given: there is but one screen.
    """

    def __init__(self, target: str = "") -> None:
        if target:
            raise UsageError(f"the screen reporter has no target, such as {target!r}")

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Print the table on stdout."""
        width = columns(sys.stdout, WIDEST)
        for line in lines_of(records, meta, width, ascii_only=is_ascii(sys.stdout)):
            sys.stdout.write(f"{line}\n")
        return ""


def lines_of(
    records: Sequence[Mapping[str, Any]], meta: Meta, width: int, *, ascii_only: bool = False
) -> Iterator[str]:
    """Yield the lines of a report."""
    named = [meta.net, meta.metric, meta.identifier, meta.framework, meta.platform, meta.device]
    yield shorten(clean(", ".join(filter(None, named))), width, ascii_only=ascii_only)
    if meta.commit:
        control = f", control {meta.control_commit[:COMMIT]}" if meta.control_commit else ""
        line = clean(f"{meta.run_type} of commit {meta.commit[:COMMIT]}{control}")
        yield shorten(line, width, ascii_only=ascii_only)
    results = [from_mapping(record) for record in records]
    rows = [cells_of(result, meta.metric, ascii_only=ascii_only) for result in results]
    if rows:
        names, directions, medians, precisions, statuses = zip(*rows, strict=True)
        yield from render(
            [
                Column(header="name", cells=names, least=NARROW),
                Column(header="direction", cells=directions, least=4),
                Column(header=clean(meta.metric), cells=medians, align="right"),
                Column(header="precision", cells=precisions, align="right"),
                Column(header="status", cells=statuses, least=NARROW),
            ],
            width,
            ascii_only=ascii_only,
        )


def cells_of(result: Result, name: str, *, ascii_only: bool) -> tuple[str, ...]:
    """Return what a row shows: the metric of this name, the time where the record has none."""
    metric = next((each for each in result.metrics if each.name == name), None)
    if metric is None:
        value = format_seconds(result.seconds)
        precision = result.summary.precision if result.summary else None
    else:
        value, precision = format_quantity(metric.value, metric.unit), None
    reason = f": {result.reason}" if result.reason else ""
    return (
        clean(result.operator.name),
        clean(result.operator.direction),
        value,
        format_precision(precision, ascii_only=ascii_only),
        clean(f"{result.status}{reason}"),
    )
