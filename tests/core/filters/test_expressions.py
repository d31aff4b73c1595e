"""What a filter says about known and unknown facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.core.filters.expressions import NO, YES, FieldEquals
from opperf.core.filters.language import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Truth = Callable[[Mapping[str, str]], bool]

PLANNED = {"name": "Add", "category": "arithmetic", "size": "typical", "status": None}


@pytest.mark.parametrize(
    "text", ["status=ok", "status!=ok", "not status in (ok)", "Add and status=failed"]
)
def test_what_is_not_known_yet_is_kept(text: str) -> None:
    """Before a measurement there is no status to rule anything out, whichever way it is asked."""
    assert parse(text).matches(PLANNED)
    assert parse(text).matches({key: fact for key, fact in PLANNED.items() if fact})


@pytest.mark.parametrize("text", ["Dot and status=ok", "size=large and not status=ok"])
def test_what_is_known_rules_out_whatever_is_not(text: str) -> None:
    """No status could save it."""
    assert not parse(text).matches(PLANNED)


@pytest.mark.parametrize("missing", ["name", "category"])
def test_a_word_needs_name_and_category_to_rule_out(missing: str) -> None:
    """It may yet be in the other one."""
    assert parse("Dot").matches({**PLANNED, missing: None})


def comparison(field: str, value: str, sign: str) -> tuple[str, Truth]:
    """Return a comparison's text and its meaning."""
    if sign == "=":
        return f"{field}={value}", lambda facts: facts[field] == value
    return f"{field} != '{value}'", lambda facts: facts[field] != value


def conjunction(left: tuple[str, Truth], right: tuple[str, Truth]) -> tuple[str, Truth]:
    """Return the text and the meaning of both."""
    return f"{left[0]} and ({right[0]})", lambda facts: left[1](facts) and right[1](facts)


def disjunction(left: tuple[str, Truth], right: tuple[str, Truth]) -> tuple[str, Truth]:
    """Return the text and the meaning of either, in parentheses so that it can be used anywhere."""
    return f"({left[0]} or {right[0]})", lambda facts: left[1](facts) or right[1](facts)


def negation(part: tuple[str, Truth]) -> tuple[str, Truth]:
    """Return the text and the meaning of the opposite."""
    return f"not ({part[0]})", lambda facts: not part[1](facts)


VALUES = ("small", "large")
LEAVES = st.builds(
    comparison,
    st.sampled_from(["size", "dtype"]),
    st.sampled_from(VALUES),
    st.sampled_from(["=", "!="]),
)
FILTERS = st.recursive(
    LEAVES,
    lambda part: (
        st.builds(conjunction, part, part)
        | st.builds(disjunction, part, part)
        | st.builds(negation, part)
    ),
    max_leaves=12,
)


@given(FILTERS, st.sampled_from(VALUES), st.sampled_from(VALUES))
def test_parsing_what_was_written_recovers_its_meaning(
    written: tuple[str, Truth], size: str, dtype: str
) -> None:
    """A tree that is written out and parsed decides every set of facts as the tree does."""
    text, meaning = written
    facts = {"size": size, "dtype": dtype}
    assert parse(text).matches(facts) == meaning(facts)


@given(FILTERS, st.sampled_from(VALUES), st.sampled_from(VALUES))
def test_an_early_answer_never_drops_what_a_later_one_keeps(
    written: tuple[str, Truth], size: str, dtype: str
) -> None:
    """What matches when all is known has matched when only a part was."""
    found = parse(written[0])
    if found.matches({"size": size, "dtype": dtype}):
        assert found.matches({"size": size})
        assert found.matches({"dtype": dtype, "size": None})


def test_one_of_several_tags_is_enough() -> None:
    """And all of no other field's words: a device may be called `cuda 0`."""
    facts = {"tag": "core Calibration", "device": "cuda 0"}
    assert FieldEquals("tag", "calibration").decide(facts) == YES
    assert FieldEquals("tag", "core calibration").decide(facts) == NO
    assert FieldEquals("tag", "core").decide({"tag": ""}) == NO
    assert FieldEquals("device", "cuda").decide(facts) == NO
