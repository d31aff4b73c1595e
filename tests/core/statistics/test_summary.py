"""Statistics of one measurement, against hand-computed vectors and generated streams."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.statistics.summary import (
    deviation,
    drift,
    effective_size,
    is_bimodal,
    lag_one_correlation,
    lower_rank,
    median_interval,
    outlier_share,
    relative_half_width,
    summarize,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Stream = Callable[[np.random.Generator, int], NDArray[np.float64]]

STREAMS = 400


def normal(random: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Return independent normal samples around 10."""
    return random.normal(10, 1, n)


def lognormal(random: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Return independent lognormal samples, whose median is 1."""
    return random.lognormal(0, 1, n)


def pareto(random: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Return independent samples with a tail so heavy that they have no variance."""
    return random.pareto(1.5, n) + 1


def bimodal(random: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Return samples of which 60 % lie around 10 and the others around 12."""
    return np.where(random.random(n) < 0.6, random.normal(10, 0.1, n), random.normal(12, 0.1, n))


def autocorrelated(random: np.random.Generator, n: int, rho: float = 0.5) -> NDArray[np.float64]:
    """Return an AR(1) stream around 20."""
    noise = random.normal(0, 1, n + 50)
    weights = rho ** np.arange(50)
    return 20 + np.convolve(noise, weights, mode="valid")[:n]


MEDIANS: dict[Stream, float] = {
    normal: 10.0,
    lognormal: 1.0,
    pareto: 2 ** (1 / 1.5),
    bimodal: 10 + 0.1 * NormalDist().inv_cdf(0.5 / 0.6),
    autocorrelated: 20.0,
}


@pytest.mark.parametrize(
    ("n", "rank"),
    [(0, None), (1, None), (5, None), (6, 1), (7, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4)],
)
def test_lower_rank_is_that_of_the_binomial_tables(n: int, rank: int | None) -> None:
    """The rank is the largest whose tail of the binomial with p = 1/2 is within 2.5 %."""
    assert lower_rank(n) == rank


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (12, 3, 10)])
def test_interval_is_made_of_these_order_statistics(n: int, low: int, high: int) -> None:
    """Six and eight samples give their range, nine ranks 2 to 8, twelve ranks 3 to 10."""
    values = np.arange(1.0, n + 1)
    values[1::2] = values[1::2][::-1]
    assert lag_one_correlation(values) <= 0
    assert median_interval(values) == (low, high)


def test_five_samples_have_no_interval() -> None:
    """Below six samples no 95 % interval of a median exists."""
    assert median_interval(np.array([3.0, 1.0, 4.0, 1.5, 5.0])) is None


@pytest.mark.parametrize("n", range(6, 20))
def test_six_samples_or_more_always_have_an_interval(n: int) -> None:
    """However alike neighbors seem: a chance correlation of few samples takes no interval away."""
    assert median_interval(np.arange(1.0, n + 1)) == (1, n)


@pytest.mark.parametrize("n", [1101, 2001, 10_000])
def test_many_samples_have_an_interval_near_the_normal_approximation(n: int) -> None:
    """The binomial's sums neither overflow nor underflow beyond 1100 samples."""
    rank = lower_rank(n)
    assert rank == pytest.approx(n / 2 - 1.96 * n**0.5 / 2, abs=1.5)


@pytest.mark.parametrize("n", [10, 40, 200])
@pytest.mark.parametrize("stream", MEDIANS, ids=lambda stream: stream.__name__)
def test_interval_covers_the_median_of_generated_streams(stream: Stream, n: int) -> None:
    """The 95 % interval covers the true median in 93 to 99.5 % of streams, whatever their shape."""
    random = np.random.default_rng(20)
    covered = 0
    for _ in range(STREAMS):
        interval = median_interval(stream(random, n))
        assert interval is not None
        covered += interval[0] <= MEDIANS[stream] <= interval[1]
    assert 0.93 <= covered / STREAMS <= 0.995


def test_effective_size_shrinks_with_autocorrelation() -> None:
    """An AR(1) stream of correlation r is worth about n (1 - r) / (1 + r) samples."""
    random = np.random.default_rng(1)
    sizes = [effective_size(autocorrelated(random, 400)) for _ in range(50)]
    assert np.median(sizes) == pytest.approx(400 / 3, rel=0.2)


def test_effective_size_of_independent_samples_is_close_to_all_of_them() -> None:
    """Independent samples keep their number, which is never exceeded."""
    random = np.random.default_rng(2)
    sizes = [effective_size(normal(random, 400)) for _ in range(50)]
    assert 360 <= np.median(sizes) <= max(sizes) <= 400


def test_ties_are_no_autocorrelation() -> None:
    """A coarse clock makes many samples equal; that does not make them depend on each other."""
    assert effective_size(np.array([1.0] * 5 + [2.0] + [1.0] * 14)) == 20
    random = np.random.default_rng(3)
    sizes = [effective_size(np.round(normal(random, 100))) for _ in range(50)]
    assert np.median(sizes) >= 90


def test_one_outlier_does_not_hide_autocorrelation() -> None:
    """Ranks are correlated, not values: a preempted sample changes little."""
    values = autocorrelated(np.random.default_rng(4), 200)
    before = lag_one_correlation(values)
    values[100] = 1e6
    assert lag_one_correlation(values) == pytest.approx(before, abs=0.05)


@pytest.mark.parametrize("n", [40, 100, 1000])
@pytest.mark.parametrize("change", [0.1, 0.5, -0.2])
def test_drift_is_found_and_sized(n: int, change: float) -> None:
    """A steady rise or fall is found however strong it is, and its size told."""
    noise = np.random.default_rng(5).normal(0, 0.01, n)
    values = 1 + change * np.linspace(0, 1, n) + noise
    assert drift(values) == pytest.approx(change / (1 + change / 2), rel=0.15)


def test_drift_without_any_noise_is_found() -> None:
    """A trend by which every sample exceeds the one before is a trend."""
    assert drift(np.linspace(1, 1.1, 50)) == pytest.approx(0.1 / 1.05)


@pytest.mark.parametrize("stream", MEDIANS, ids=lambda stream: stream.__name__)
@pytest.mark.parametrize("n", [10, 40, 1000])
def test_drift_is_not_found_where_there_is_none(stream: Stream, n: int) -> None:
    """At most 3 % of streams without a trend are said to drift, autocorrelated ones included."""
    random = np.random.default_rng(6)
    found = [drift(stream(random, n)) != 0 for _ in range(100)]
    assert np.mean(found) <= 0.03


@pytest.mark.parametrize("values", [[1.0] * 30, [-1.0, -2.0] * 10, [1.0, 2.0, 3.0]])
def test_drift_of_nothing_is_zero(values: list[float]) -> None:
    """Equal, negative or too few samples have no drift."""
    assert drift(np.array(values)) == 0


def test_bimodal_streams_are_found() -> None:
    """Two groups of 20 % or more that lie far apart for their widths are called bimodal."""
    random = np.random.default_rng(7)
    assert all(is_bimodal(bimodal(random, 40)) for _ in range(50))


@pytest.mark.parametrize("stream", [normal, pareto, lognormal, autocorrelated])
def test_streams_of_one_mode_are_not_bimodal(stream: Stream) -> None:
    """One mode, however skewed, is hardly ever called two."""
    random = np.random.default_rng(8)
    assert np.mean([is_bimodal(stream(random, 40)) for _ in range(100)]) <= 0.05


@pytest.mark.parametrize(
    "values",
    [[1.0] * 10 + [2.0] * 9, [1.0] * 10 + [1.01] * 10, [1.0] * 27 + [9.0] * 3, [1.0] * 30],
    ids=["too few", "too close", "too few in one", "all equal"],
)
def test_what_is_too_little_for_two_modes(values: list[float]) -> None:
    """Below 20 samples, 2 % apart or 20 % of the samples there is one mode."""
    assert not is_bimodal(np.array(values))


def test_outlier_share_counts_what_lies_five_deviations_off() -> None:
    """Three of a hundred samples moved far away are 3 %."""
    values = normal(np.random.default_rng(9), 100)
    values[[10, 20, 30]] = 100
    assert outlier_share(values) == pytest.approx(0.03)
    assert outlier_share(np.ones(10)) == 0


def test_summary_of_a_hand_computed_vector() -> None:
    """Each figure of eleven samples in a scrambled order is what one computes by hand."""
    summary = summarize([5, 1, 9, 3, 11, 2, 10, 4, 7, 6, 108])
    assert (summary.n, summary.minimum, summary.median) == (11, 1, 6)
    assert summary.mean == pytest.approx(166 / 11)
    assert summary.mad == 3
    assert summary.iqr == pytest.approx(9.5 - 3.5)
    assert (summary.p5, summary.p90, summary.p99) == pytest.approx((1.5, 11, 98.3))
    assert summary.interval == (2, 11)
    assert summary.precision == pytest.approx(9 / 12)
    assert summary.outlier_share == pytest.approx(1 / 11)


def test_summary_of_one_sample() -> None:
    """One sample is its own median, with nothing said about its precision."""
    summary = summarize([2.0])
    assert (summary.median, summary.minimum, summary.n, summary.n_eff) == (2, 2, 1, 1)
    assert (summary.interval, summary.precision) == (None, None)
    assert (summary.drift, summary.bimodal, summary.outlier_share) == (0, False, 0)


def test_precision_is_half_the_width_over_the_median() -> None:
    """None where there is no interval, or no positive median to relate it to."""
    assert relative_half_width((9.0, 11.0), 10.0) == pytest.approx(0.1)
    assert relative_half_width(None, 10.0) is None
    assert relative_half_width((-1.0, 1.0), 0.0) is None


def test_deviation_is_the_median_distance_from_the_median() -> None:
    """The mad of 1, 1, 2, 2, 4, 6, 9 is 1, the textbook's example."""
    assert deviation(np.array([1, 1, 2, 2, 4, 6, 9])) == 1
