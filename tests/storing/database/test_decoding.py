import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.core.results.parts import SamplesRecord, SummaryRecord
from opperf.core.results.reading import from_mapping
from opperf.core.results.result import Result
from opperf.core.results.status import TIMED
from opperf.core.statistics.summary import Summary
from opperf.core.timing.measure import Samples
from opperf.storing.database.decoding import decode
from opperf.storing.database.line import put_together, take_apart
from opperf.storing.document import parse

MakeResult = Callable[..., Result]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
TEXTS = (
    "1e999", "-1e999", "9" * 301, "1e301", "[1e301]", "NaN", "01", "1.", "true", "[true]", "{}",
    '"\\ud800"', '"\\u00e9"', '"\xe9"', '"\t"', "[" * 60 + "]" * 60, "[" * 2000 + "]" * 2000,
    '{"a":1,"a":"x"}', "[[1,2]]", "[1,2,3]", "null", '"ok"', '"2026"',
)  # fmt: skip
"""What a parser may take for more, or for less, than it is."""


def encode(record: dict[str, Any], text: str = "") -> bytes:
    """Return a line, with a text in place of the value "HERE"."""
    return (json.dumps(record, separators=(",", ":")).replace('"HERE"', text) + "\n").encode()


def whole_record(make_result: MakeResult) -> dict[str, Any]:
    """Return a record that has all that is looked into."""
    record = make_result(environment={"machine_key": "m"}).to_mapping()
    warning = {"code": "noisy", "message": "wide"}
    record["summary"] |= {"interval": [1e-6, 2e-6], "precision": 0.1, "warnings": [warning]}
    record["fusion"] = {"kernels": ["k"], "parts": ["p"], "traffic_bytes": 8, "bandwidth": 1e9}
    return record


@pytest.mark.parametrize("status", TIMED)
def test_what_this_package_writes_is_decoded(make_result: MakeResult, status: str) -> None:
    """Else each import would take several times as long, in silence."""
    assert decode(encode(whole_record(make_result) | {"status": status})) is not None


def test_every_field_of_samples_and_summaries_is_known() -> None:
    """One that is added has to be named, or its lines are no usual ones any more."""
    summary = {item.name for item in fields(Summary)} | {"stop_reason", "warnings"}
    assert summary == {*SummaryRecord.__struct_fields__}
    samples = {item.name for item in fields(Samples)} - {"noise", "loop_overhead"} | {"null"}
    assert samples == {*SamplesRecord.__struct_fields__}


def test_what_is_said_of_fusing_is_looked_into(make_result: MakeResult) -> None:
    """Else a store would take what no reader of it does."""
    assert decode(encode(whole_record(make_result) | {"fusion": None})) is not None
    for fusion in ({}, {**whole_record(make_result)["fusion"], "parts": [1]}):
        assert decode(encode(whole_record(make_result) | {"fusion": fusion})) is None


@given(data=st.data(), value=JSON.map(json.dumps) | st.sampled_from(TEXTS))
@example(data=None, value="1e999")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_nothing_is_taken_that_a_reader_would_refuse(
    data: Any, value: str, make_result: MakeResult
) -> None:
    """Any value in any place, known or not: what is taken is a record, with the same values."""
    record = whole_record(make_result)
    places: list[Any] = [
        record, record["operator"], record["inputs"][0], record["samples"], record["summary"],
        record["summary"]["warnings"][0], record["samples"]["seconds"],
        record["summary"]["interval"], record["inputs"][0]["shape"], record["attributes"],
        record["fusion"], record["fusion"]["kernels"], record["fusion"]["parts"],
    ]  # fmt: skip
    place = data.draw(st.sampled_from(places)) if data else record["operator"]
    names = [*range(len(place))] if isinstance(place, list) else [*place, "threads", "more"]
    name = data.draw(st.sampled_from(names)) if data else "threads"
    place[name] = "HERE"
    line = encode(record, value)
    try:
        found = take_apart(line)
    except UsageError:
        return
    plain = from_mapping(parse(line))
    assert found.record() == plain
    assert put_together(found.body, found.environment) == line or decode(line) is None
    assert found.columns[1:3] == (plain.session, plain.status)
    assert found.columns[3] == plain.summary.median
