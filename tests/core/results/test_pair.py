"""The record of a pair: read back as written, and refused where it cannot be one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert

from opperf.core.errors import UsageError
from opperf.core.results.pair import METRIC_SCHEMA, Pair, pair_from

FIELDS: dict[str, Any] = {
    "result_id": "r1",
    "run_id": "run",
    "session": 1,
    "purpose": "comparison",
    "started_at": "2026-11-21T00:00:00.000+00:00",
    "opperf_version": "0",
    "operator": {
        "name": "Add", "category": "arithmetic", "framework": "numpy", "direction": "forward",
        "device": "cpu", "size": "small", "fused": None, "threads": 1,
    },
    "inputs": ({"name": "lhs", "shape": [2, 3], "dtype": "float32"},),
    "attributes": {},
    "a_status": "ok",
    "b_status": "ok",
    "ratio": 0.01,
    "a_seconds": 1e-6,
    "b_seconds": 1.01e-6,
    "a_blocks": (1e-6, 1e-6),
    "b_blocks": (1e-6, 1e-6),
}  # fmt: skip


def pair_of(**changes: Any) -> Pair:
    """Return a pair with some fields changed."""
    return convert(FIELDS | changes, Pair)


def line(**changes: Any) -> Any:
    """Return a record as it is read from a file."""
    return json.loads(json.dumps(pair_of().to_mapping() | changes))


def test_a_pair_is_read_back_as_it_was_written() -> None:
    """Every field of it."""
    pair = pair_of()
    assert pair_from(json.loads(pair.to_json())) == pair


def test_the_key_is_that_of_what_is_compared() -> None:
    """The same in each session and for each purpose; another size is something else."""
    pair = pair_of()
    assert pair_of(session=2, purpose="control").key == pair.key
    other = {**FIELDS["operator"], "size": "large"}
    assert pair_of(operator=other).key != pair.key


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "opperf.pair/9"}, "unknown record version"),
        ({"purpose": "fun"}, "unknown purpose"),
        ({"session": "1"}, "'session' must be int"),
        ({"ratio": None}, "'ratio' must be there"),
        ({"a_status": "crashed"}, "'ratio' must be there"),
        ({"a_seconds": 0.0}, "must be above 0"),
        ({"b_seconds": None}, "must be above 0"),
        ({"a_blocks": ["x"]}, "'a_blocks\\[0\\]' must be float, not 'x'"),
        ({"a_blocks": [float("inf")]}, "must be float <= 1e.300, not inf"),
        ({"inputs": [{"name": "lhs", "shape": [{}], "dtype": "float32"}]}, "must be int, not {}"),
        ({"started_at": "abc"}, "is no time"),
        ({"operator": {}}, "'operator.name' is missing"),
        ({"inputs": [3]}, "'inputs\\[0\\]' must be object, not 3"),
    ],
)
def test_what_is_no_pair_is_refused(changes: dict[str, Any], said: str) -> None:
    """In a line that names the field."""
    with pytest.raises(UsageError, match=said):
        pair_from(line(**changes))


def test_a_record_that_lacks_a_field_is_refused() -> None:
    """Older versions will be upgraded first, when there are any."""
    record = line()
    del record["marked"]
    with pytest.raises(UsageError, match="lacks marked"):
        pair_from(record)


METRIC = {"name": "workspace", "unit": "B", "better": "less", "a": (0.0, 0.0), "b": (64.0, 64.0)}
BESIDE = {
    "schema": METRIC_SCHEMA, "metric": METRIC, "ratio": None, "a_seconds": None, "b_seconds": None,
    "a_blocks": (), "b_blocks": (),
}  # fmt: skip


def test_a_pair_of_another_metric_is_read_back_as_it_was_written() -> None:
    """With the values of both arms and no blocks; one of times has no such field."""
    pair = pair_of(**BESIDE)
    assert pair_from(json.loads(pair.to_json())) == pair
    assert pair.values
    assert pair.values.medians == (0, 64)
    assert pair.is_measured
    absent = pair_of(**{**BESIDE, "metric": {**METRIC, "a": (), "b": (), "reason": "no meter"}})
    assert pair_from(json.loads(absent.to_json())).absence == "no meter"
    assert not absent.is_measured
    assert "metric" not in json.loads(pair_of().to_json())
    assert pair_of().values is pair_of().absence is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "opperf.pair/1"}, "'metric' must be there in opperf.pair/2, only there"),
        ({"ratio": 0.1}, "'ratio' is of times"),
        ({"metric": {**METRIC, "a": (1.0,)}}, "of the same length"),
        ({"metric": {**METRIC, "a": (), "b": ()}}, "must have values where both arms have"),
        ({"metric": {**METRIC, "reason": "no meter"}}, "must have values where both arms have"),
        ({"b_status": "failed"}, "must have values where both arms have"),
        ({"metric": {**METRIC, "a": ("x",)}}, "must be float, not 'x'"),
    ],
)
def test_a_pair_of_a_metric_that_contradicts_itself_is_refused(
    changes: dict[str, Any], said: str
) -> None:
    """In a line that names the field."""
    with pytest.raises(UsageError, match=said):
        pair_from(json.loads(json.dumps({**pair_of(**BESIDE).to_mapping(), **changes})))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(Pair.__struct_fields__)), JSON)
def test_any_value_in_any_field_is_a_pair_or_a_usage_error(name: str, value: Any) -> None:
    """A foreign or edited file never ends in another exception."""
    try:
        pair_from(line(**{name: value}))
    except UsageError:
        return
