"""Whether two JSON values have one key just where they are equal."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from opperf.core.results.json_key import json_key
from opperf.core.results.parts import InputRecord

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
DIFFERENT = (
    None, 0, "0", 1, True, "", [], {}, [[]], [1, 2], [2, 1], [12], {"a": 1}, {"a": "1"}, {"b": 1},
    {"a": None}, {1: 2}, "\ud800", "\ud801",
)  # fmt: skip


@given(VALUES, VALUES)
def test_the_keys_of_values_are_those_of_their_json(one: object, other: object) -> None:
    """Two values have one key just where Python writes the same JSON of them."""
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (json_key(one) == json_key(other)) == same
    assert json_key(one) == json_key(json.loads(json.dumps(one)))


def test_different_values_have_different_keys() -> None:
    """Also where a type or the order is all that differs, and where msgspec writes no JSON."""
    assert len({*map(json_key, DIFFERENT)}) == len(DIFFERENT)


def test_the_order_of_names_is_none_and_a_tuple_is_a_list() -> None:
    """A store, a journal and a running process differ in both."""
    assert json_key({"a": (1, 2), "b": {}}) == json_key({"b": {}, "a": [1, 2]})


def test_a_part_of_a_record_is_an_object() -> None:
    """It has the key of what its record says."""
    item = InputRecord(name="data", shape=(2, 3), dtype="float32")
    assert json_key([item]) == json_key([item.to_mapping()])
