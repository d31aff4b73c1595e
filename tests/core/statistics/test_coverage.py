"""The interval of the median holds it as often as it says, also where sampling really stops."""

from __future__ import annotations

from itertools import islice
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.statistics.summary import half_width, lag_one_correlation, median_interval
from opperf.core.timing.sampler import looks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Stream = Callable[[np.random.Generator, int, float], Values]

STOPPED, LOOKED_AT, CHANCE = 1000, 2000, 0.004
"""Streams where sampling stops and at a look, and the standard error of 97 % among the latter."""
MOST = 640
"""Samples by which the budget is spent at the latest: 0.2 s of 200 us and what is between them."""
LEAST, HIGHEST = 0.94 - CHANCE, 0.98 + CHANCE


def normal(random: np.random.Generator, n: int, noise: float) -> Values:
    """Return independent normal times around 1."""
    return random.normal(1, noise, n)


def pareto(random: np.random.Generator, n: int, noise: float) -> Values:
    """Return independent times above 1 with a tail so heavy that they have no variance."""
    return 1 + noise * random.pareto(1.5, n)


def bimodal(random: np.random.Generator, n: int, noise: float) -> Values:
    """Return times of which 60 % lie around 1 and the others twice the noise above."""
    one, other = (random.normal(at, noise / 10, n) for at in (1, 1 + 2 * noise))
    return np.where(random.random(n) < 0.6, one, other)


def autocorrelated(random: np.random.Generator, n: int, noise: float, rho: float = 0.5) -> Values:
    """Return an AR(1) stream around 1."""
    steps = random.normal(0, noise, n + 50)
    return 1 + np.convolve(steps, rho ** np.arange(50), mode="valid")[:n]


MEDIANS: dict[Stream, Callable[[float], float]] = {
    normal: lambda _: 1.0,
    pareto: lambda noise: 1 + noise * (2 ** (1 / 1.5) - 1),
    bimodal: lambda noise: 1 + noise / 10 * NormalDist().inv_cdf(0.5 / 0.6),
    autocorrelated: lambda _: 1.0,
}


def as_stopped(values: Values) -> Values:
    """Return the samples that are taken of a stream until its median is precise enough."""
    for size in looks():
        width = half_width(values[:size])
        if width is not None and width <= Settings.precision:
            return values[:size]
        if size >= len(values):
            return values
    raise AssertionError


def coverage(stream: Stream, noise: float, samples: Iterable[Values]) -> float:
    """Return the share of samples whose interval holds the true median."""
    truth = MEDIANS[stream](noise)
    intervals = [median_interval(values) for values in samples]
    return float(np.mean([low <= truth <= high for low, high in filter(None, intervals)]))


def draw(stream: Stream, noise: float, n: int, streams: int) -> Iterator[Values]:
    """Yield as many streams of n samples, always the same."""
    random = np.random.default_rng(20)
    for _ in range(streams):
        yield stream(random, n, noise)


@pytest.mark.parametrize("noise", [0.005, 0.01, 0.02])
@pytest.mark.parametrize("stream", MEDIANS, ids=lambda stream: stream.__name__)
def test_interval_covers_the_median_where_sampling_stops(stream: Stream, noise: float) -> None:
    """To stop at the first look that is precise is to prefer narrow intervals: 94 to 98 % hold."""
    stopped = map(as_stopped, draw(stream, noise, MOST, STOPPED))
    assert LEAST <= coverage(stream, noise, stopped) <= HIGHEST


@pytest.mark.parametrize("n", list(islice(looks(), 4)))
@pytest.mark.parametrize("stream", MEDIANS, ids=lambda stream: stream.__name__)
def test_interval_covers_the_median_at_every_look(stream: Stream, n: int) -> None:
    """Of as many samples as a look sees, 94 to 98 % of the intervals hold the median."""
    samples = draw(stream, 0.01, n, LOOKED_AT)
    assert LEAST <= coverage(stream, 0.01, samples) <= HIGHEST


def test_dependent_samples_have_the_interval_of_fewer() -> None:
    """An AR(1) stream of correlation 1/2 is worth a third: its interval is wider by root three."""
    random = np.random.default_rng(21)
    ratios = []
    for _ in range(100):
        values = autocorrelated(random, 400, 0.01)
        widths = [half_width(values), half_width(random.permutation(values))]
        ratios.append(widths[0] / widths[1])  # type: ignore[operator] # 400 have an interval
    assert np.median(ratios) == pytest.approx(3**0.5, rel=0.1)


@pytest.mark.parametrize("n", [10, 20])
def test_independent_samples_show_no_correlation_on_average(n: int) -> None:
    """The coefficient of few samples is corrected for its bias of -1/n."""
    random = np.random.default_rng(22)
    found = [lag_one_correlation(normal(random, n, 0.01)) for _ in range(1000)]
    assert np.mean(found) == pytest.approx(0, abs=0.02)
