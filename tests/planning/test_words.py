"""Operators named as words mean what the filter of the same names means."""

from __future__ import annotations

import pytest

from opperf.core.errors import UsageError
from opperf.planning.words import filter_of

CASES = {
    ((), "name=Add"): "name=Add",
    (("Add",), ""): "name=Add",
    (("add", "gemm", "core"), " "): "name=add or category=gemm or tag=core",
    (("Gemm", "Softmax"), ""): "name=Gemm or name=Softmax",
    (("Add", "Dot"), "size=small or size=large"): "(name=Add or name=Dot) and "
    "(size=small or size=large)",
}


@pytest.mark.parametrize(("asked", "text"), CASES.items())
def test_words_choose_and_the_filter_narrows(asked: tuple[tuple[str, ...], str], text: str) -> None:
    """Written as it is, else in any case; an `or` of the filter stays within it."""
    assert filter_of(*asked) == text


def test_a_word_that_is_nothing_is_refused() -> None:
    """With the nearest that there is."""
    with pytest.raises(UsageError, match=r"category or tag 'Covn2D'; did you mean 'Conv2D'"):
        filter_of(("Add", "Covn2D"), "")
