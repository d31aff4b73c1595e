"""The schema that is published, against what is written and what is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from opperf.core.results.identity import SCHEMA
from opperf.core.results.json_schema import record_schema
from opperf.core.results.reading import from_mapping
from opperf.core.results.result import Result
from tests.readers import documents

VALIDATOR = Draft202012Validator(record_schema())


def faults(record: dict[str, Any]) -> list[str]:
    """Return the places of a record that the schema refuses."""
    return [error.json_path for error in VALIDATOR.iter_errors(record)]


def test_the_schema_is_one_and_takes_a_whole_record() -> None:
    """As read and written once more, too."""
    Draft202012Validator.check_schema(record_schema())
    record = documents.record()
    assert not faults(record)
    assert not faults(from_mapping(record).to_mapping())
    assert record_schema()["$id"] == SCHEMA


def test_each_field_of_a_record_is_in_its_schema() -> None:
    """In their order, and all of them are written but what a specification alone says."""
    schema = record_schema()
    assert (*schema["properties"],) == Result.__struct_fields__
    always = tuple(name for name in Result.__struct_fields__ if name != "meta")
    assert (*schema["required"],) == always
    assert "companion" not in schema["$defs"]["OperatorRecord"]["required"]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("result_id", "x"), ("status", "fine"), ("colour", 1), ("operator.direction", "up"),
        ("operator.colour", 1), ("summary.n", 0), ("summary.interval", [1.0]),
        ("memory.outputs", -1), ("roof.rate", 0), ("series_key", "abc"), ("schema", "opperf.run/1"),
        ("samples.seconds", ["x"]), ("environment.packages", 1),
    ],
)  # fmt: skip
def test_what_this_version_does_not_write_is_refused(place: str, value: object) -> None:
    """Also where readers are more patient."""
    name, _, inner = place.partition(".")
    record = documents.record()
    record[name] = {**record[name], inner: value} if inner else value
    assert faults(record)


def test_it_is_json() -> None:
    """Nothing of Python's is left in it."""
    assert json.loads(json.dumps(record_schema())) == record_schema()
