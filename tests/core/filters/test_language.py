"""The language of -k."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.core.filters.language import DEEPEST, FIELDS, parse

ADD = {
    "name": "Add",
    "category": "arithmetic",
    "framework": "mxnet",
    "dtype": "float32",
    "size": "typical",
    "direction": "forward",
    "device": "cuda:0",
    "status": "ok",
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n ",
        "add",
        "Dd",
        "ARITHMETIC",
        "'Add'",
        "category=arithmetic",
        "category == Arithmetic and dtype = FLOAT32",
        "name in (Dot, add)",
        "name not in (Dot, Exp)",
        "size != large",
        "device=cuda:0",
        "not Dot",
        "not (Dot or Exp)",
        "Dot or Exp or Add",
        "(((Add)))",
        "not not Add",
        'framework in ("mxnet", pytorch)',
    ],
)
def test_it_matches_what_it_means(text: str) -> None:
    """Words, comparisons, and, or, not and parentheses; case matters in no value."""
    assert parse(text).matches(ADD)


@pytest.mark.parametrize(
    "text",
    [
        "arith",
        "Dot",
        "name=Ad",
        "not Add",
        "Add and Dot",
        "size in (small, large)",
        "dtype!=float32",
    ],
)
def test_it_does_not_match_what_it_excludes(text: str) -> None:
    """A word must be the whole of a category, and a value the whole of a fact."""
    assert not parse(text).matches(ADD)


def test_and_binds_more_tightly_than_or() -> None:
    """Like everywhere else."""
    assert parse("Add or Dot and size=large").matches(ADD)
    assert not parse("(Add or Dot) and size=large").matches(ADD)


def test_not_binds_more_tightly_than_and() -> None:
    """It takes the one condition that follows."""
    assert not parse("not Dot and size=large").matches(ADD)


def test_keywords_that_are_quoted_or_compared_are_words() -> None:
    """An operator may be called Or, and a person may spell it or."""
    assert parse("name in (or, and) and 'or'").matches({"name": "Or", "category": "logical"})


def test_a_field_by_itself_is_a_word() -> None:
    """`size` could be part of a name."""
    assert parse("size").matches({"name": "Resize", "category": "image"})


def test_it_lists_the_values_of_a_field() -> None:
    """As written, wherever they stand; words are not values."""
    found = parse("Add or name=Dot and not (name in ('conv 2d', Dot) or size!=small)")
    assert found.values("name") == {"Dot", "conv 2d"}
    assert found.values("size") == {"small"}
    assert found.values("status") == set()


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("name in (Add, Dot", "expected ')', found the end", 17),
        ("Add Dot", "expected 'and', 'or' or the end, found 'Dot'", 4),
        ("conv*", "expected 'and', 'or' or the end, found '*'", 4),
        ("size=", "expected a value of size, found the end", 5),
        ("name in Add", "expected '(', found 'Add'", 8),
        ("Add and", "expected a word, a field, 'not' or '(', found the end", 7),
        ("name='conv 2d", 'expected a value of name, found "\'" that is never closed', 5),
    ],
)
def test_an_error_points_to_its_place(text: str, problem: str, place: int) -> None:
    """What was expected, what was found, the text, and a caret."""
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert str(caught.value) == f"cannot parse filter: {problem}\n  {text}\n  {' ' * place}^"


@pytest.mark.parametrize("text", ["nam=Add", "nam in (Add)", "nam not in (Add)", "nam != Add"])
def test_an_unknown_field_suggests_the_nearest(text: str) -> None:
    """However it is compared; the caret points to it."""
    with pytest.raises(
        UsageError, match="unknown filter field 'nam'; did you mean 'name'"
    ) as caught:
        parse(f"Add and {text}")
    assert str(caught.value).endswith(f"\n  Add and {text}\n          ^")


def test_a_caller_may_allow_fewer_fields() -> None:
    """A listing has no status to ask for."""
    with pytest.raises(UsageError, match="allowed: name, size"):
        parse("status=ok", fields=("name", "size"))


@pytest.mark.parametrize(
    "text", [")", "in", "and Add", "=", "Add or or", "name in ()", "name in (a,)", "()"]
)
def test_what_is_no_filter_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError, match="cannot parse filter"):
        parse(text)


def test_an_error_in_a_long_text_shows_its_surroundings_only() -> None:
    """The caret still stands under the place."""
    text = "Add or " * 1500 + "* or Dot" + " or Add" * 1500
    with pytest.raises(UsageError) as caught:
        parse(text)
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^")] == "*"
    assert len(shown) < 150


def test_an_error_shows_no_control_character() -> None:
    """A filter from elsewhere cannot write to the terminal, nor break the line over the caret."""
    with pytest.raises(UsageError) as caught:
        parse("Add and \x1b[31m\r\n\x00")
    first, shown, caret = str(caught.value).split("\n")
    assert (first + shown + caret).isprintable()


@pytest.mark.parametrize("opening", ["(", "not ", "(Dot or Dot and "])
def test_it_may_be_nested_to_a_limit(opening: str) -> None:
    """A hundred deep is read and decided; more is an error, not a crash."""
    text = opening * DEEPEST + "Add" + ")" * (DEEPEST * opening.count("("))
    assert parse(text).matches(ADD) == (opening != "(Dot or Dot and ")
    with pytest.raises(UsageError, match="at most 100"):
        parse(opening + text)


@pytest.mark.parametrize(
    "text", ["(" * 10_000, "not " * 10_000, "x" * 10_000, "'" * 9_999, "\n" * 10_000]
)
def test_long_texts_end_in_a_filter_or_an_error(text: str) -> None:
    """Nothing exhausts the stack."""
    outcome(text)


def test_long_chains_are_flat() -> None:
    """A filter generated from ten thousand names works."""
    assert parse(" or ".join(["Dot"] * 10_000 + ["Add"])).matches(ADD)


def outcome(text: str) -> None:
    """Parse and apply the text; let nothing through but a usage error."""
    try:
        found = parse(text)
    except UsageError:
        return
    found.matches(ADD)
    found.matches({})


SYNTAX = st.sampled_from(
    [
        *FIELDS,
        *ADD.values(),
        "and",
        "or",
        "not",
        "in",
        "(",
        ")",
        ",",
        "=",
        "!=",
        "'",
        '"',
        " ",
        "\n",
    ]
)


@given(st.text() | st.lists(SYNTAX).map(" ".join) | st.lists(SYNTAX).map("".join))
def test_any_text_is_a_filter_or_a_usage_error(text: str) -> None:
    """Whatever is typed, nothing else is raised."""
    outcome(text)
