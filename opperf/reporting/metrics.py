"""The quantities that a reader asks for by name, a row a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.core.results.metrics import QUANTITIES, metrics_of
from opperf.reporting.rows import flat
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result

HEAD = ("operator", "framework", "direction", "device", "inputs", "attributes", "status")
"""What says which result a row is of."""


def names_of(text: str, results: Sequence[Result]) -> list[str]:
    """Return the names in "time,workspace".

    Raises:
        UsageError: None of the results has one of them.
    """
    known = dict.fromkeys([*QUANTITIES, *(name for one in results for name in metrics_of(one))])
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in known:
            raise UsageError(unknown("metric", clean(name), [*map(clean, known)]))
    return names


def metric_rows(results: Sequence[Result], names: Sequence[str]) -> list[dict[str, object]]:
    """Return the values of these metrics in their units as one flat object a result."""
    rows = []
    for result in results:
        row, found = flat(result), metrics_of(result)
        values = {name: found[name].value if name in found else None for name in names}
        rows.append({**{name: row[name] for name in HEAD}, **values})
    return rows


def metric_notes(results: Sequence[Result], names: Sequence[str]) -> Iterator[str]:
    """Yield the unit of each metric, and why results have no value of it."""
    for name in names:
        found = [all_of[name] for result in results if name in (all_of := metrics_of(result))]
        units = dict.fromkeys(clean(f"{metric.unit} per {metric.per}") for metric in found)
        reasons = dict.fromkeys(clean(metric.reason) for metric in found if metric.reason)
        if units:
            yield f"{name}: {'; '.join([', '.join(units), *reasons])}"
