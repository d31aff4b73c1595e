"""Choosing among the series of a store, and the metric that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote_path, unknown
from opperf.core.filters.language import FIELDS, parse
from opperf.core.results.metrics import QUANTITIES
from opperf.storing.database.histories import choose_series, operator_names
from opperf.storing.database.metrics import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from opperf.storing.database.metrics import MetricValues

MOST = 200
"""Series that are shown together; more are no question that anybody has."""


def select_series(
    connection: Connection,
    operator: str | None,
    text: str,
    exact: Mapping[str, str | None],
    machine: str | None,
    machines: Collection[str] | None = None,
) -> list[Row[Any]]:
    """Return the series that are asked for.

    Args:
        connection: of the store.
        operator: an operator's name, None for all operators.
        text: a filter, such as "dtype=float32 and direction=forward".
        exact: facts that a series must have, where they are not None.
        machine: the beginning of the machine's key.
        machines: the keys of machines, None for all.

    Raises:
        UsageError: No series is of this operator, or too many are.
    """
    rows = choose_series(connection, matcher(text, {"name": operator, **exact}), machine, machines)
    if operator is None:
        return rows
    names = operator_names(connection)
    if operator.lower() not in map(str.lower, names):
        raise UsageError(unknown("operator", operator, names, " in the store"))
    if len(rows) > MOST:
        raise UsageError(
            f"{len(rows)} series of {operator} match; at most {MOST} are shown: "
            "choose by -k, --framework, --device, --host or --machine"
        )
    return rows


def matcher(
    text: str, exact: Mapping[str, str | None]
) -> Callable[[Mapping[str, str | None]], bool]:
    """Return whether a series' facts are what a filter and the flags ask for."""
    chosen = parse(text, [name for name in FIELDS if name not in {"tag", "status"}])
    wanted = {name: value.lower() for name, value in exact.items() if value is not None}

    def matches(facts: Mapping[str, str | None]) -> bool:
        same = all((facts[name] or "").lower() == value for name, value in wanted.items())
        return same and chosen.matches(facts)

    return matches


def metric_values(connection: Connection, series: Sequence[int], name: str) -> MetricValues:
    """Return the values of a metric but the time, which has a column of its own.

    Raises:
        UsageError: There is no such metric, neither in a record's fields nor by a probe.
    """
    values = values_of(connection, series, name)
    known = {*QUANTITIES, *values.names}
    if name not in known:
        raise UsageError(unknown("metric", quote_path(name), [*map(quote_path, known)]))
    return values
