"""The quantities that a reader asks for by name, a row a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.core.results.metrics import OF_THE_TIME, QUANTITIES, metrics_of
from opperf.core.units import COUNT, format_quantity
from opperf.reporting.rows import flat
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.quantity import MetricRecord
    from opperf.core.results.result import Result

HEAD = ("operator", "framework", "direction", "device", "inputs", "attributes", "status")
"""What says which result a row is of."""


def names_of(text: str, results: Sequence[Result]) -> list[str]:
    """Return the names in "time,workspace".

    Raises:
        UsageError: None of the results has one of them.
    """
    names = [part.strip() for part in text.split(",")]
    require_names(names, results)
    return names


def require_names(names: Sequence[str], results: Sequence[Result]) -> None:
    """Refuse the names of metrics that no record has.

    Raises:
        UsageError: None of the results has one of them.
    """
    known = dict.fromkeys([*QUANTITIES, *(name for one in results for name in metrics_of(one))])
    for name in names:
        if name not in known:
            raise UsageError(unknown("metric", clean(name), [*map(clean, known)]))


def refuse_of_the_time(name: str) -> None:
    """Refuse a metric that says no more than the time does.

    Raises:
        UsageError: It is one.
    """
    if name in OF_THE_TIME:
        raise UsageError(f"--metric {name}: it follows from the time; compare that, the default")


def metric_rows(
    results: Sequence[Result], names: Sequence[str], *, for_people: bool = False
) -> list[dict[str, object]]:
    """Return the values of these metrics as one flat object a result.

    They are numbers in their units, or `for_people` texts such as "4.63 us".
    """
    rows = []
    for result in results:
        row, found = flat(result), metrics_of(result)
        chosen = {name: found.get(name) for name in names}
        values = {
            name: metric
            and (format_quantity(metric.value, clean(metric.unit)) if for_people else metric.value)
            for name, metric in chosen.items()
        }
        rows.append({**{name: row[name] for name in HEAD}, **values})
    return rows


def value_rows(result: Result) -> list[dict[str, object]]:
    """Return each quantity that is known of a result as a row for people: value and interval."""
    rows: list[dict[str, object]] = []
    for metric in metrics_of(result).values():
        if metric.value is not None:
            ends = [format_quantity(end, clean(metric.unit)) for end in metric.interval or ()]
            row = {"metric": clean(metric.name), "value": value_text(metric)}
            rows.append({**row, "95 % interval": " to ".join(ends) or None})
    return rows


def value_text(metric: MetricRecord) -> str:
    """Return a value with its unit; one without a unit by its own digits."""
    if metric.unit == COUNT and metric.value is not None:
        return f"{metric.value:.7g}"
    return format_quantity(metric.value, clean(metric.unit))


def metric_notes(results: Sequence[Result], names: Sequence[str]) -> Iterator[str]:
    """Yield the unit of each metric, and why results have no value of it."""
    for name in names:
        found = [all_of[name] for result in results if name in (all_of := metrics_of(result))]
        units = dict.fromkeys(
            clean(f"{metric.unit} per {metric.per}" if metric.per else metric.unit)
            for metric in found
        )
        reasons = dict.fromkeys(clean(metric.reason) for metric in found if metric.reason)
        if units:
            yield f"{name}: {'; '.join([', '.join(units), *reasons])}"
