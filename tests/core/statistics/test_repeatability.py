"""What measuring one thing again and again shows, on generated times whose spread is known."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from opperf.comparing.signed_rank import looks_up_to, rank_at
from opperf.core.statistics.repeatability import NEEDED, Seen, compare_sessions


def test_the_spreads_are_found_again() -> None:
    """Of 2 % between processes and 0.5 % inside; a ratio of two has the square root of two more."""
    random = np.random.default_rng(7)
    process = random.normal(0, 0.02, 4000)
    halves = 1e-5 * np.exp(process[:, None] + random.normal(0, 0.005, (4000, 2)))
    ratios = random.normal(0, 0.01, 4000)
    sessions = [
        Seen(halves=(a, b), ratio=ratio) for (a, b), ratio in zip(halves, ratios, strict=True)
    ]
    found = compare_sessions("Add", "numpy", sessions)
    assert found is not None
    assert found.seconds == pytest.approx(1e-5, rel=0.01)
    assert found.inside == pytest.approx(sqrt(2) * 0.005, rel=0.1)
    assert found.between == pytest.approx(0.01, rel=0.1)
    assert found.apart == pytest.approx(sqrt(2) * sqrt(0.02**2 + 0.005**2 / 2), rel=0.1)
    assert found.sessions == 4000
    assert found.two_runs == pytest.approx(1.96 * found.apart)
    assert found.smallest(6) > found.smallest(12) > found.smallest(24)


@pytest.mark.parametrize("sessions", NEEDED)
def test_a_change_of_this_size_is_shown_in_nine_of_ten(sessions: int) -> None:
    """At any look up to so many sessions the interval lies above zero."""
    values = np.random.default_rng(1).normal(NEEDED[sessions], 1, (20_000, sessions))
    shown = np.zeros(len(values), dtype=bool)
    for look in looks_up_to(sessions, sessions):
        ranks = np.abs(values[:, :look]).argsort(axis=1).argsort(axis=1) + 1
        shown |= (ranks * (values[:, :look] < 0)).sum(axis=1) < rank_at(look)
    assert shown.mean() == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("count", [0, 1])
def test_one_session_shows_nothing(count: int) -> None:
    """It takes two to differ."""
    assert compare_sessions("Add", "numpy", [Seen(halves=(1.0, 1.0), ratio=0.0)] * count) is None
