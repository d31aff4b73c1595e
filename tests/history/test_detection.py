from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.core.statistics.student import quantile, tail
from opperf.history.detection import (
    best_split,
    despike,
    find_splits,
    may_have_split,
    may_have_splits,
    merge,
)


def series(*levels: tuple[int, float], noise: float = 0.01, seed: int = 7) -> list[float]:
    """Return times with these lengths and levels one after the other, and normal noise."""
    means = np.concatenate([np.full(count, level) for count, level in levels])
    return list(means * np.exp(np.random.default_rng(seed).normal(0, noise, len(means))))


def places(times: list[float]) -> list[int]:
    """Return where the times change."""
    return [split.index for split in find_splits(times)]


def test_a_step_is_found_where_it_is() -> None:
    """And both of two, though they cancel."""
    assert places(series((60, 1.0), (60, 1.1))) == [60]
    assert places(series((60, 1.0), (40, 1.1), (60, 1.0))) == [60, 100]


def test_noise_alone_is_hardly_ever_a_change() -> None:
    """Sixty years of daily noise have at most one false alarm."""
    found = [places(series((365, 1.0), noise=0.03, seed=seed)) for seed in range(60)]
    assert sum(map(bool, found)) <= 1


@pytest.mark.parametrize("factor", [0.2, 1.5, 100.0])
def test_one_spike_is_no_change(factor: float) -> None:
    """Wherever it is, the last session included, whose end nobody has seen yet."""
    for place in (3, 50, 98, 99):
        times = series((100, 1.0))
        times[place] *= factor
        assert places(times) == []


def test_a_spike_hides_no_step() -> None:
    """Beside one that is a hundred times as large, a step is found where it is."""
    times = series((60, 1.0), (60, 1.05))
    times[20] *= 100
    times[90] *= 100
    assert places(times) == [60]


def test_the_second_session_makes_a_large_step_certain() -> None:
    """One could be a spike."""
    assert places(series((50, 1.0), (1, 1.2))) == []
    assert places(series((50, 1.0), (2, 1.2))) == [50]


def test_the_threshold_is_the_series_own() -> None:
    """The same 3 % is a change of a quiet series and none of a noisy one."""
    assert places(series((10, 1.0), (10, 1.03), noise=0.002)) == [10]
    assert places(series((10, 1.0), (10, 1.03), noise=0.03)) == []


def test_a_change_below_half_a_percent_is_none() -> None:
    """However certain it is: nobody would act on it."""
    assert places(series((100, 1.0), (100, 1.003), noise=1e-5)) == []


@pytest.mark.parametrize("times", [[], [1.0], [1.0, 2.0], [1.0] * 50])
def test_too_few_or_equal_times_have_no_change(times: list[float]) -> None:
    """And raise nothing."""
    assert places(times) == []
    assert not may_have_split(times)


def test_the_fast_look_misses_nothing() -> None:
    """Whatever the full search finds in one window, the look leaves possible."""
    for seed in range(60):
        chance = np.random.default_rng(seed)
        step = 1 + float(chance.choice([-0.1, -0.05, -0.02, 0.02, 0.05, 0.1]))
        noise = float(chance.choice([0.01, 0.03]))
        times = series((int(chance.integers(20, 90)), 1.0), (30, step), noise=noise, seed=seed)
        assert may_have_split(times) or not find_splits(times)


def test_a_fast_look_at_many_series_is_one_at_each() -> None:
    """Spikes and steps included; and of too few sessions, none may have a split."""
    steps = [[*series((30, 1.0), (8, 1 + 0.02 * n), noise=0.01, seed=n)] for n in range(20)]
    times = np.array(steps)
    times[::3, 9] *= 5
    found = may_have_splits(times).tolist()
    assert found == [may_have_split(list(row)) for row in times]
    assert {*found} == {False, True}
    assert may_have_splits(times[:, :3]).tolist() == [False] * 20


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=40))
def test_the_best_split_has_the_largest_divergence(values: list[float]) -> None:
    """By its definition, distance by distance; of nearly equal ones it may be either."""
    n = len(values)

    def mean(one: Sequence[float], other: Sequence[float]) -> float:
        return sum(abs(a - b) for a in one for b in other) / (len(one) * len(other))

    def divergence(m: int) -> float:
        left, right = values[:m], values[m:]
        own = (mean(side, side) * len(side) / (len(side) - 1) for side in (left, right))
        return (2 * mean(left, right) - sum(own)) * m * (n - m) / n

    found = best_split(np.array(values))
    assert found is not None
    assert divergence(found) == pytest.approx(max(map(divergence, range(2, n - 1))), abs=1e-9)


@given(st.lists(st.floats(1e-9, 1e3), max_size=60))
@settings(deadline=None)
def test_any_times_have_an_answer(times: list[float]) -> None:
    """In order, within the series, at least two sessions apart from its ends."""
    found = places(times)
    assert found == sorted(set(found))
    assert all(2 <= index <= len(times) - 2 for index in found)


def test_the_weakest_split_goes_first() -> None:
    """Of a true and a false one, the true one stays."""
    values = np.log(series((50, 1.0), (50, 1.1)))
    assert [split.index for split in merge(values, [25, 50, 80])] == [50]


def test_despiking_leaves_steps_alone() -> None:
    """Only the lone value moves, to its neighbors' level."""
    values = np.array([0.0, 0.01, 0.0, 9.0, 0.01, 0.0, 1.0, 1.01, 1.0])
    assert despike(values).tolist() == [0.0, 0.01, 0.0, 0.01, 0.01, 0.0, 1.0, 1.01, 1.0]


@pytest.mark.parametrize(
    ("t", "freedom", "expected"),
    [(12.706, 1, 0.05), (2.228, 10, 0.05), (3.169, 10, 0.01), (1.96, 1e6, 0.05), (0.0, 5, 1.0)],
)
def test_the_tail_is_that_of_the_tables(t: float, freedom: float, expected: float) -> None:
    """Student's table; and the quantile is its inverse."""
    assert tail(t, freedom) == pytest.approx(expected, rel=2e-3)
    if t:
        assert quantile(expected, freedom) == pytest.approx(t, rel=1e-3)
