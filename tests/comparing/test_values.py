"""Verdicts on metrics other than the time: exact ones, ones that vary, steps from and to zero."""

from __future__ import annotations

from math import exp

import pytest

from opperf.comparing.values import is_worse_again, judge_values
from opperf.core.results.pair import PairMetric

NOISE = (0.0, 0.004, -0.003, 0.002, -0.001, 0.003, -0.002, 0.001)


def metric(a: float, b: float, better: str | None = "less", jitter: float = 0.0) -> PairMetric:
    """Return the values of a session: two of each arm, B's a little apart."""
    values_b = (b, b * (1 + jitter))
    return PairMetric(name="some", unit="B", better=better, a=(a, a), b=values_b)


def noisy(ratio: float, better: str | None = "less", scale: float = 1.0) -> list[PairMetric]:
    """Return eight sessions of values that vary."""
    return [metric(1000.0, 1000 * ratio * exp(scale * each), better) for each in NOISE]


@pytest.mark.parametrize(
    ("a", "b", "better", "verdict"),
    [
        (4096, 8192, "less", "worse"),
        (8192, 4096, "less", "better"),
        (8192, 4096, "more", "worse"),
        (4096, 8192, "more", "better"),
        (4096, 8192, None, "different"),
        (4096, 4096, "less", "equivalent"),
        (4096, 4100, "less", "equivalent"),
    ],
)
def test_values_that_never_vary_are_exact_and_have_no_interval(
    a: float, b: float, better: str | None, verdict: str
) -> None:
    """Of so many sessions that much is said; width zero would promise what nobody has shown."""
    found = judge_values([metric(a, b, better)] * 8, 0.02)
    assert found.verdict == verdict
    assert found.ratio == b / a
    assert (found.interval, found.bounds, found.exact) == (None, None, True)
    assert "exact: the same in all 8 sessions" in str(found.reason)
    assert found.difference == b - a


def test_one_session_says_nothing_of_the_next() -> None:
    """Its values may agree by chance."""
    found = judge_values([metric(4096, 8192)], 0.02)
    assert (found.verdict, found.exact, found.interval) == ("undecided", False, None)
    assert "one session" in str(found.reason)


@pytest.mark.parametrize(
    ("ratio", "better", "verdict"),
    [
        (1.2, "less", "worse"),
        (0.8, "less", "better"),
        (1.2, "more", "better"),
        (1, "less", "equivalent"),
    ],
)
def test_values_that_vary_have_an_interval(ratio: float, better: str, verdict: str) -> None:
    """By signed ranks over the sessions, as ratios of times."""
    found = judge_values(noisy(ratio, better), 0.02)
    assert found.verdict == verdict
    assert found.interval
    assert found.interval[0] < ratio * 1.002 < found.interval[1] * 1.004
    assert found.interval[0] < found.interval[1]
    assert not found.exact


def test_few_sessions_that_vary_are_undecided() -> None:
    """There is no interval of 95 % below six."""
    found = judge_values(noisy(1.5)[:5], 0.02)
    assert (found.verdict, found.interval) == ("undecided", None)


def test_most_that_agree_have_the_range_of_all_for_an_interval() -> None:
    """Ranks alone would make one of width zero of 23 equal values and another."""
    found = judge_values([metric(1000, 1100)] * 23 + [metric(1000, 1300)], 0.02)
    assert found.interval == pytest.approx((1.1, 1.3))
    assert not found.exact
    assert found.verdict == "worse"


def test_values_that_vary_within_a_session_are_not_exact() -> None:
    """The medians of all sessions agree all the same."""
    found = judge_values([metric(1000, 1100, jitter=0.1)] * 8, 0.02)
    assert not found.exact
    assert found.interval
    assert found.interval[0] < found.interval[1]


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [(0, 4096, "worse"), (4096, 0, "better"), (0, 0, "equivalent")],
)
def test_steps_from_and_to_zero_are_judged_by_the_difference(
    a: float, b: float, verdict: str
) -> None:
    """Where there is no ratio, and none is shown."""
    found = judge_values([metric(a, b)] * 8, 0.02)
    assert (found.verdict, found.ratio, found.interval) == (verdict, None, None)
    assert found.by_difference
    assert found.difference == b - a


def test_a_difference_that_varies_has_bounds_in_its_unit() -> None:
    """From nothing in A to about 4096 in B."""
    sessions = [metric(0, 4096 * exp(each)) for each in NOISE]
    found = judge_values(sessions, 0.02)
    assert found.verdict == "worse"
    assert found.bounds
    assert 4000 < found.bounds[0] < found.bounds[1] < 4200
    assert "by the difference" in str(found.reason)


def test_values_that_are_zero_now_and_then_are_no_decision() -> None:
    """Each arm has some in four of eight sessions."""
    sessions = [metric(4096 * (n % 2), 4096 * ((n // 2) % 2)) for n in range(8)]
    assert judge_values(sessions, 0.02).verdict in {"noisy", "undecided"}


@pytest.mark.parametrize(
    ("sessions", "again"),
    [
        ([metric(1, 2)] * 6, True),
        ([metric(1, 1)] * 6, False),
        ([metric(2, 1, "more")] * 6, True),
        ([metric(0, 5)] * 6, True),
    ],
)
def test_worse_is_confirmed_in_its_own_direction(sessions: list[PairMetric], again: bool) -> None:
    """Less of what more is better of is worse."""
    assert is_worse_again(sessions, 0.02) is again
