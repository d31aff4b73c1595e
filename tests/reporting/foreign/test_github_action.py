"""The JSON of github-action-benchmark, read by the rules of its customSmallerIsBetter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

FORM = "github-action-benchmark"
ENTRIES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "value", "unit"],
        "properties": {
            **{name: {"type": "string"} for name in ("name", "unit", "range", "extra")},
            "value": {"type": "number"},
        },
        "additionalProperties": False,
    },
}
UNITS = ("s", "ms", "us", "ns")
"""Those of time that it converts into each other."""


def read(document: Any) -> dict[str, tuple[float, float | None]]:
    """Return value and range by name, as it takes them: the first of each name counts."""
    jsonschema.validate(document, ENTRIES)
    found: dict[str, tuple[float, float | None]] = {}
    for entry in document:
        assert entry["unit"] in UNITS
        match = re.search(r"(?:\+-|±)\s*(\d.*)", entry.get("range", ""))
        found.setdefault(entry["name"], (entry["value"], float(match[1]) if match else None))
    return found


def test_the_value_and_half_the_interval(make: Make, document: Document) -> None:
    """In nanoseconds for every row of every run, so that charts have one unit."""
    written = document(FORM, make(seconds=31.25e-6), make(name="Add", precision=None, seconds=2.0))
    assert [*read(written).values()] == [
        (31250.0, pytest.approx(125.0)),
        (2_000_000_000.0, None),
    ]


def test_the_tooltip_says_what_the_value_is_worth(make: Make, document: Document) -> None:
    """Line by line."""
    sound, unsound = document(FORM, make(seconds=31.25e-6), make(status="noisy"))
    assert sound["extra"].splitlines() == [
        "status: ok",
        "reliable: yes",
        "95 % interval: 31.1 us to 31.4 us",
        "result: Dot-mxnet-forward",
    ]
    assert unsound["extra"].splitlines()[:2] == ["status: noisy", "reliable: no"]


def test_names_are_those_of_the_next_run(make: Make, document: Document) -> None:
    """They join the runs, and are one a row."""
    runs = [
        document(FORM, make(seconds=seconds), make(direction="backward"), make(fused=True))
        for seconds in (1e-3, 2e-3)
    ]
    assert [*read(runs[0])] == [*read(runs[1])]
    assert len(read(runs[0])) == 3
