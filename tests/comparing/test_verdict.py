"""The verdict: what may be said of an interval, in which order, and of arms that failed."""

from __future__ import annotations

from math import log, log1p

import numpy as np
import pytest

from opperf.comparing.signed_rank import LOOKS
from opperf.comparing.verdict import VERDICTS, Judgment, judge, judge_statuses


def judged(percents: list[float], *, disturbed: int = 0, effect: float = 0.02) -> Judgment:
    """Return the judgment of sessions that differ by so many per cent."""
    return judge([log1p(value / 100) for value in percents], disturbed, effect)


@pytest.mark.parametrize(
    ("percents", "verdict"),
    [
        ([3.1, 3.2, 3.0, 3.3, 2.9, 3.4], "slower"),
        ([-3.1, -3.2, -3.0, -3.3, -2.9, -3.4], "faster"),
        ([0.1, -0.2, 0.3, 0.0, 0.2, -0.1], "equivalent"),
        ([0.5, 0.6, 0.5, 0.7, 0.6, 0.5], "equivalent"),
        ([1.5, 2.5, 2.0, 1.8, 2.2, 2.1], "different"),
        ([-3.0, 3.0, 1.0, -1.0, 2.5, 0.5], "undecided"),
        ([-20, 25, 1.0, -10, 2.5, 0.5], "noisy"),
        ([9.0] * 5, "undecided"),
        ([], "undecided"),
    ],
)
def test_verdicts_follow_the_interval(percents: list[float], verdict: str) -> None:
    """Each word stands for a place of the interval against the smallest effect of interest."""
    assert judged(percents).verdict == verdict
    assert verdict in VERDICTS


def test_slower_needs_the_whole_interval_beyond_the_effect() -> None:
    """One session of six that is not beyond it is enough to say less."""
    assert judged([3.0] * 5 + [1.9]).verdict == "different"
    assert judged([3.0] * 5 + [2.1]).verdict == "slower"
    assert judged([-3.0] * 5 + [-1.9]).verdict == "different"


def test_the_effect_is_that_of_the_ratio_either_way() -> None:
    """A ratio of 1/1.02 is as far as 1.02."""
    beyond = [log(1 / 1.021)] * 6
    assert judge(beyond, 0, 0.02).verdict == "faster"
    assert judge([log(1.0201)] * 6, 0, 0.02).verdict == "slower"
    assert judge([log(1 / 1.019)] * 6, 0, 0.02).verdict == "equivalent"


def test_disturbed_sessions_are_said_and_do_not_decide() -> None:
    """A neighbor falls on both arms alike: the interval tells how much he blurs."""
    found = judged([9.0] * 10, disturbed=3)
    assert found.verdict == "slower"
    assert found.disturbed == 3


def test_ratio_and_interval_are_those_of_b_over_a() -> None:
    """Logarithms are for the statistics only."""
    found = judged([10.0] * 6)
    assert found.ratio == pytest.approx(1.1)
    assert found.interval == pytest.approx((1.1, 1.1))


def test_undecided_says_how_many_more_sessions_it_would_take() -> None:
    """An interval that is twice too wide needs about four times as many."""
    reason = judged([-1.9, 2.1, -1.8, 1.9, 0.1, 0.2]).reason
    assert reason is not None
    assert "more session" in reason


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (["ok"], ["crashed"], None),
        (["ok", "ok"], ["crashed", "crashed"], "newly_fails"),
        (["ok", "ok", "ok"], ["failed", "ok", "timeout"], "newly_fails"),
        (["failed", "failed"], ["ok", "ok"], "newly_works"),
        (["failed", "failed"], ["failed", "failed"], "fails"),
        (["ok"], ["wrong_result"], "wrong_result"),
        (["wrong_result"], ["ok"], "wrong_result"),
        (["ok", "crashed"], ["ok", "ok"], None),
        ([], [], None),
    ],
)
def test_failures_must_happen_twice(a: list[str], b: list[str], verdict: str | None) -> None:
    """In fresh processes each time; a wrong result needs no second look."""
    found = judge_statuses(a, b)
    assert (found[0] if found else None) == verdict


def test_equal_arms_are_almost_never_called_slower_or_faster() -> None:
    """4,000 comparisons of equal arms whose sessions spread by 2 %: at most 0.1 % are called."""
    calls = 0
    random = np.random.default_rng(11)
    for values in random.normal(0, 0.02, (4000, max(LOOKS))):
        words = [judge([*values[:count]], 0, 0.02).verdict for count in LOOKS]
        settled = [word for word in words if word in {"slower", "faster", "equivalent"}]
        calls += bool(settled) and settled[0] != "equivalent"
    assert calls <= 4


def test_a_change_of_three_per_cent_is_called() -> None:
    """With a spread of 1.4 % and an effect of 1 %, nine in ten within 12 sessions."""
    random = np.random.default_rng(12)
    called = 0
    for values in random.normal(log(1.03), 0.014, (500, 12)):
        called += any(
            judge([*values[:count]], 0, 0.01).verdict == "slower" for count in (8, 10, 12)
        )
    assert called >= 450
