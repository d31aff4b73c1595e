"""Bencher Metric Format, by its documented schema and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

METRIC = {
    "type": "object",
    "required": ["value"],
    "properties": {name: {"type": "number"} for name in ("value", "lower_value", "upper_value")},
    "additionalProperties": False,
}
MEASURES = {"type": "object", "minProperties": 1, "additionalProperties": METRIC}
FORMAT = {
    "type": "object",
    "propertyNames": {"minLength": 1, "maxLength": 1024},
    "additionalProperties": MEASURES,
}
IGNORED = "-bencher-ignore"


def test_a_value_and_its_ends_in_nanoseconds(make: Make, document: Document) -> None:
    """The unit of its measure `latency`; without an interval there are no ends."""
    found = document("bencher", make(seconds=31.25e-6), make(name="Add", precision=None))
    jsonschema.validate(found, FORMAT)
    first, second = found.values()
    assert first == {"latency": {"value": 31250.0, "lower_value": 31125.0, "upper_value": 31375.0}}
    assert second == {"latency": {"value": 31_200_000.0}}


def test_a_time_that_is_not_reliable_gives_no_alert(make: Make, document: Document) -> None:
    """Its name, less the end that Bencher takes off, is that of the reliable one."""
    (sound,) = document("bencher", make())
    (unsound,) = document("bencher", make(status="noisy"))
    assert unsound.removesuffix(IGNORED) == sound
    assert not sound.endswith(IGNORED)


def test_a_long_name_is_cut_and_stays_its_own(make: Make, document: Document) -> None:
    """Two rows that differ at the end alone are two benchmarks, reliable or not."""
    results = [
        make(attributes={"text": "x" * 2000 + end}, status=status)
        for end in "ab"
        for status in ("ok", "noisy")
    ]
    found = document("bencher", *results)
    jsonschema.validate(found, FORMAT)
    assert len(found) == 4
    assert len({name.removesuffix(IGNORED) for name in found}) == 2
