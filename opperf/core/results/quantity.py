"""What a record is of, whatever the kind of work, and a quantity of it as a value."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from opperf.core.results.parts import Number, Part, written


class SubjectRecord(Part, frozen=True, kw_only=True):
    """What was measured: an operator, or another kind of work."""

    kind: Annotated[str, written(enum=["operator", "call", "network", "task", "method", "spec"])]
    name: str


class MetricRecord(Part, frozen=True, kw_only=True):
    """A measured quantity, or the reason why there is no value."""

    name: str
    unit: str
    value: Number | None
    better: Annotated[str | None, written("which value is the better one; null where neither is")]
    per: Annotated[str, written("what it is counted for")]
    interval: Annotated[tuple[Number, Number] | None, written("of the value, at 95 %")] = None
    reason: Annotated[str | None, written("why there is no value")] = None
    min_value: Annotated[
        Number | UnsetType | None, written("present where a value below it is a failure")
    ] = UNSET
    max_value: Annotated[
        Number | UnsetType | None, written("present where a value above it is a failure")
    ] = UNSET
