"""Two stored runs: the same words, wider intervals, and what cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.comparing.stored import APART, NotComparableError, match

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]


def verdict_of(make_result: MakeResult, a: dict[str, Any], b: dict[str, Any]) -> Any:
    """Return the row of a result of either run."""
    (found,) = match([timed(make_result, **a)], [timed(make_result, **b)]).matches
    return found.row(0.1)


def timed(make_result: MakeResult, status: str = "ok", median: float = 1e-3) -> Result:
    """Return a result that took so long, or that has no time."""
    result = make_result(status=status)
    return replace(result, summary={**(result.summary or {}), "median": median})


def test_the_interval_holds_what_time_apart_may_do(make_result: MakeResult) -> None:
    """Two runs with the same time are equivalent, but not to a per cent."""
    row = verdict_of(make_result, {"median": 1e-3}, {"median": 1e-3})
    assert row.verdict == "equivalent"
    assert row.interval[1] - 1 >= APART


@pytest.mark.parametrize(
    ("seconds", "verdict"), [(1.3e-3, "slower"), (0.7e-3, "faster"), (1.12e-3, "different")]
)
def test_the_words_are_those_of_ab(make_result: MakeResult, seconds: float, verdict: str) -> None:
    """Slower and faster need the whole interval beyond the effect; neither is ever confirmed."""
    row = verdict_of(make_result, {"median": 1e-3}, {"median": seconds})
    assert (row.verdict, row.confirmed) == (verdict, None)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("ok", "crashed", "newly_fails"),
        ("timeout", "ok", "newly_works"),
        ("ok", "wrong_result", "wrong_result"),
        ("failed", "failed", "fails"),
    ],
)
def test_what_failed_has_no_time(make_result: MakeResult, a: str, b: str, verdict: str) -> None:
    """Missing is never a ratio."""
    row = verdict_of(make_result, {"status": a}, {"status": b})
    assert (row.verdict, row.ratio, row.interval) == (verdict, None, None)


def test_another_definition_is_not_comparable(make_result: MakeResult) -> None:
    """The error names the operator and ends with exit code 14."""
    result = make_result()
    matched = match([result], [replace(result, definition_key="0" * 16)])
    assert matched.matches == []
    with pytest.raises(NotComparableError, match=result.operator["name"]) as caught:
        matched.require_same()
    assert caught.value.exit_code == 14


def test_what_only_one_run_has_is_counted(make_result: MakeResult) -> None:
    """It is neither slower nor missing."""
    result = make_result()
    matched = match([result], [result, replace(result, series_key="f" * 16)])
    assert (len(matched.matches), matched.only_a, matched.only_b) == (1, 0, 1)


def test_what_was_not_tried_says_nothing(make_result: MakeResult) -> None:
    """A row skipped after another one's crash is no failure of its own."""
    result = make_result()
    assert match([result], [make_result(status="skipped")]).matches == []
