"""The published schema and the reader allow the same files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from opperf.core.errors import UsageError
from opperf.specs.format.reading import read_specifications
from opperf.specs.format.schema import spec_schema
from opperf.specs.metrics import METRICS
from tests.specs.format.examples import spec, written

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = Draft202012Validator(spec_schema())
LISTED = {"meta": {"group": "CNN", "commands": {"mxnet": {"a": 1}}}, "benchmarks": ["net.json"]}
RIGHT = [spec(), spec(metric="error", output_files={"out": ["a.npy"]}), spec(iter=-1), LISTED,
         {**spec(), "schema": "opperf.spec/1"}]  # fmt: skip
WRONG: list[dict[str, Any]] = [
    {"model": {}, "tests": []}, spec(metric="power"), spec(iter="many"), {"benchmarks": []},
    spec(inputs={"data": {"shape": [[1]]}}), {**spec(), "schema": "opperf.spec/9"},
    spec(input_files={"data": {"filename": "a/b"}}), {**LISTED, "tests": []}, spec(timeout=-1),
    spec(metric="error", output_files={"out": ["a\nb.npy"]}),
]  # fmt: skip


def test_the_schema_is_one() -> None:
    """Of the same dialect as the others, and with the metrics that there are."""
    Draft202012Validator.check_schema(spec_schema())
    assert spec_schema()["$id"] == "opperf.spec/1"
    fields = spec_schema()["$defs"]["SpecTestRecord"]["properties"]
    assert fields["metric"]["enum"] == list(METRICS)


@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_what_is_read_is_valid(number: int, tmp_path: Path) -> None:
    """A specification and a list of them."""
    written(tmp_path, spec())
    assert read_specifications(written(tmp_path, RIGHT[number], "this.json"))
    assert SCHEMA.is_valid(RIGHT[number])


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_refused_is_not_valid(number: int, tmp_path: Path) -> None:
    """Neither by the reader nor by the schema."""
    with pytest.raises(UsageError):
        read_specifications(written(tmp_path, WRONG[number]))
    assert not SCHEMA.is_valid(json.loads(json.dumps(WRONG[number])))
