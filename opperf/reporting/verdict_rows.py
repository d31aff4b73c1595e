"""The rows of a comparison as objects, as `--format json` and other forms of rows have them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import OPERATOR
from opperf.reporting.compared_metric import metric_fields

if TYPE_CHECKING:
    from opperf.comparing.row import ComparedRow

OF_NETWORKS = ("kind", "count", "agrees")
"""Fields of a row that an operator's has not."""
OF_ARMS = ("arm", "reference", "job")
"""Fields of a row that only one of several arms has."""


def flat(row: ComparedRow) -> dict[str, Any]:
    """Return a row as an object, as `--format json` has it."""
    found = asdict(row)
    found["interval"] = list(row.interval) if row.interval else None
    del found["values"]
    for name in OF_NETWORKS:
        if row.kind == OPERATOR or found[name] is None:
            del found[name]
    for name in OF_ARMS:
        if found[name] is None:
            del found[name]
    return found | metric_fields(row.values)
