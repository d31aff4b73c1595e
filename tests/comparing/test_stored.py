"""Two stored runs: the same words, wider intervals, and what cannot be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.comparing.stored import APART, NotComparableError, match
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]


def verdict_of(make_result: MakeResult, a: dict[str, Any], b: dict[str, Any]) -> Any:
    """Return the row of a result of either run."""
    (found,) = match([timed(make_result, **a)], [timed(make_result, **b)]).matches
    return found.row(0.1)


def timed(
    make_result: MakeResult,
    status: str = "ok",
    median: float = 1e-3,
    precision: float | None = 0.004,
) -> Result:
    """Return a result that took so long, known so well, or that has no time."""
    result = make_result(status=status)
    half = (precision or 0) * median
    ends = None if precision is None else [median - half, median + half]
    known = {"median": median, "precision": precision, "interval": ends}
    return changed(result, summary={**known})


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


@pytest.mark.parametrize("precision", [None, 1.0, 35.2, 1e9])
@pytest.mark.parametrize("median", [1e-300, 1e-3, 1e3])
def test_what_nobody_knows_has_no_interval(
    make_result: MakeResult, precision: float | None, median: float
) -> None:
    """A missing interval is no narrow one, and one that reaches zero bounds no ratio."""
    row = verdict_of(make_result, {}, {"median": median, "precision": precision})
    assert (row.verdict, row.interval) == ("noisy", None)
    assert row.reason == "a time has no usable interval"


@pytest.mark.parametrize("median", [0.0, -4.63e-3])
def test_a_time_that_is_not_above_zero_has_no_ratio(make_result: MakeResult, median: float) -> None:
    """As records of the slope method under load have it; a logarithm of it would be an error."""
    row = verdict_of(make_result, {}, {"median": median, "precision": None, "status": "noisy"})
    assert (row.verdict, row.ratio, row.interval, row.reliable) == ("noisy", None, None, False)


def test_reliable_sessions_go_before_others(make_result: MakeResult) -> None:
    """A noisy one beside them neither moves the time nor widens the interval."""
    sound = timed(make_result)
    noisy = timed(make_result, status="noisy", median=1.0, precision=0.5)
    (found,) = match([sound], [noisy, sound]).matches
    assert found.row(0.1).reliable
    assert found.row(0.1).b_seconds == sound.seconds
    (alone,) = match([sound], [noisy]).matches
    assert alone.row(0.1).verdict == "slower"
    assert not alone.row(0.1).reliable


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
    matched = match([result], [changed(result, definition_key="0" * 16)])
    assert matched.matches == []
    with pytest.raises(NotComparableError, match=result.operator.name) as caught:
        matched.require_same()
    assert caught.value.exit_code == 14


def test_what_only_one_run_has_is_counted(make_result: MakeResult) -> None:
    """It is neither slower nor missing."""
    result = make_result()
    matched = match([result], [result, changed(result, series_key="f" * 16)])
    assert (len(matched.matches), matched.only_a, matched.only_b) == (1, 0, 1)


def test_what_was_not_tried_says_nothing(make_result: MakeResult) -> None:
    """A row skipped after another one's crash is no failure of its own."""
    result = make_result()
    assert match([result], [make_result(status="skipped")]).matches == []
