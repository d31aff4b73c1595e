"""The interval over sessions: its ranks, and how often it misses when one stops at will."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.comparing.signed_rank import (
    ALPHA,
    LOOKS,
    averages,
    center,
    interval,
    looks_up_to,
    rank_at,
)

STREAMS = 100_000


def test_averages_are_those_of_all_pairs_in_order() -> None:
    """Each value with itself and with each other one."""
    assert averages([1.0, 3.0, 8.0]).tolist() == [1.0, 2.0, 3.0, 4.5, 5.5, 8.0]


def test_center_is_the_median_of_the_averages() -> None:
    """An outlier moves it by no more than its rank."""
    assert center([1.0, 3.0, 8.0]) == 3.75
    assert center([1.0, 3.0, 8000.0]) < 2002


@pytest.mark.parametrize("count", range(6))
def test_five_sessions_have_no_interval(count: int) -> None:
    """Below six the chance of all signs being equal is more than 5 %."""
    assert interval([0.1] * count) is None


def test_six_sessions_have_their_range() -> None:
    """With six the interval is as wide as it can be."""
    assert interval([3.0, 1.0, 2.0, 6.0, 5.0, 4.0]) == (1.0, 6.0)


@pytest.mark.parametrize(("count", "rank"), LOOKS.items())
def test_ranks_bound_the_averages_from_both_ends(count: int, rank: int) -> None:
    """The bounds are the averages of this rank, counted from either end."""
    values = np.random.default_rng(count).normal(size=count)
    found = sorted((a + b) / 2 for at, a in enumerate(values) for b in values[at:])
    assert interval(values) == pytest.approx((found[rank - 1], found[len(found) - rank]))


@pytest.mark.parametrize(("count", "rank"), LOOKS.items())
def test_each_look_by_itself_errs_by_less_than_five_per_cent(count: int, rank: int) -> None:
    """By the exact distribution of signed ranks, by recursion over the ranks."""
    assert 2 * sum(signed_rank_distribution(count)[:rank]) / 2**count <= ALPHA


def signed_rank_distribution(count: int) -> list[int]:
    """Return in how many of all assignments of signs the ranks of one sign add up to 0, 1, ..."""
    ways = [1]
    for rank in range(1, count + 1):
        ways = [
            (ways[total] if total < len(ways) else 0)
            + (ways[total - rank] if 0 <= total - rank < len(ways) else 0)
            for total in range(len(ways) + rank)
        ]
    return ways


def test_the_recursion_counts_what_enumeration_counts() -> None:
    """For six sessions all 64 assignments of signs can be listed."""
    sums = [sum(r for r, sign in zip(range(1, 7), signs, strict=True) if sign)
            for signs in product((0, 1), repeat=6)]  # fmt: skip
    assert signed_rank_distribution(6) == [sums.count(total) for total in range(22)]


@pytest.mark.parametrize("shape", ["normal", "heavy", "uniform"])
def test_all_looks_together_err_by_at_most_five_per_cent(shape: str) -> None:
    """Whoever stops at whichever look is wrong in at most 5 % of 100,000 streams, of any shape."""
    values = streams(shape)
    wrong = np.zeros(STREAMS, dtype=bool)
    for count, rank in LOOKS.items():
        wrong |= misses(values[:, :count], rank)
    assert 0.045 < wrong.mean() <= ALPHA


def streams(shape: str) -> np.ndarray:
    """Return symmetric streams about 0."""
    random = np.random.default_rng(5)
    size = (STREAMS, max(LOOKS))
    if shape == "uniform":
        return random.uniform(-1, 1, size)
    return random.standard_normal(size) if shape == "normal" else random.standard_t(1.5, size)


def misses(values: np.ndarray, rank: int) -> np.ndarray:
    """Return where the interval of this rank does not hold 0, by the ranks of either sign.

    As many averages lie below 0 as the ranks of the negative values add up to.
    """
    ranks = np.abs(values).argsort(axis=1).argsort(axis=1) + 1
    below = (ranks * (values < 0)).sum(axis=1)
    above = (ranks * (values > 0)).sum(axis=1)
    return (below < rank) | (above < rank)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=6, max_size=24))
def test_misses_are_what_the_interval_misses(values: list[float]) -> None:
    """The test's own shortcut agrees with the interval, where nothing is tied."""
    sizes = np.abs(values)
    if len(np.unique(sizes)) < len(values) or 0 in sizes:
        return
    rank = rank_at(len(values))
    bounds = interval(values)
    assert rank is not None
    assert bounds is not None
    if min(map(abs, bounds)) > 1e-12:
        assert misses(np.array([values]), rank)[0] == (bounds[0] > 0 or bounds[1] < 0)


def test_between_two_looks_the_interval_is_that_of_the_former() -> None:
    """Seven sessions are no look of their own: they must not be read as closely as eight."""
    assert rank_at(7) == 1
    assert rank_at(11) == LOOKS[10]
    assert rank_at(40) == LOOKS[24]


def test_the_most_sessions_are_a_look_as_well() -> None:
    """And none is beyond them."""
    assert looks_up_to(12, 24) == [8, 10, 12]
    assert looks_up_to(14, 14) == [8, 10, 12, 14]
    assert looks_up_to(9, 6) == [6]
    assert looks_up_to(5, 24) == []
