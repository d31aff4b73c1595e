"""What errors quote: any value, in one line of bounded length."""

from __future__ import annotations

from pathlib import Path

import pytest

from opperf.core.errors import LONGEST_SHOWN, quote, quote_path, unknown


def nested(depth: int) -> list[object]:
    """Return a list within lists."""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [((64, 64), "(64, 64)"), ("a\nb", "'a\\nb'"), (10**5000, "<int>"), (nested(5000), "<list>")],
    ids=["shape", "text", "digits", "depth"],
)
def test_any_value_can_be_shown(value: object, text: str) -> None:
    """As Python writes it, or by its kind where Python refuses to."""
    assert quote(value) == text


def test_what_is_long_is_shortened_in_its_middle() -> None:
    """Beginning and end are kept."""
    text = quote("a" + "x" * 10**6 + "z")
    assert len(text) == LONGEST_SHOWN + 3
    assert text.startswith("'ax")
    assert text.endswith("xz'")


def test_a_path_of_two_lines_is_named_in_one() -> None:
    """Any other is named as it was given."""
    assert quote_path(Path("runs/a b.json")) == "runs/a b.json"
    assert quote_path(Path("a\nb")) == r"'a\nb'"


def test_a_value_of_any_kind_may_be_unknown() -> None:
    """Only a word has a nearest match; the line is bounded whatever was given."""
    assert unknown("size", 10**5000, ["small"]) == "unknown size <int>; allowed: small"
    assert unknown("size", "smal", ["small"]) == (
        "unknown size 'smal'; did you mean 'small'? allowed: small"
    )
    assert len(unknown("size", "x" * 10**6, ["small"])) < 2 * LONGEST_SHOWN
