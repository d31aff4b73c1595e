"""A measured quantity, as a probe of the measuring child yields it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATOR_DELAY = "operator/"
"""What the names of metrics begin with that are the delay of one operator of a whole network."""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A quantity by its name, in a unit: its value, or the reason why there is none.

    `better` is "less", "more" or None where neither is, `per` what it is counted for ("call"), and
    `interval` holds the value at 95 %, where one is known. `counted` names what is counted, where
    each has a name. A value beyond `min_value` or `max_value` is a failure, where they are set.
    """

    name: str
    unit: str
    value: float | None
    better: str | None = "less"
    per: str = "call"
    interval: tuple[float, float] | None = None
    reason: str | None = None
    counted: tuple[str, ...] = ()
    min_value: float | None = None
    max_value: float | None = None


def metric_from(fields: Mapping[str, Any]) -> Metric:
    """Return the metric that a child has sent as JSON."""
    return Metric(**{**fields, "counted": tuple(fields["counted"])})
