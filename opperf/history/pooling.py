"""A change pooled across hosts: a random-effects model whose interval holds for few hosts too.

Each host gives the logarithm of a ratio and its standard error. The true ratios of hosts differ by
a standard deviation tau, which is estimated by the method of Paule and Mandel (J. Res. NBS 87,
1982). The interval is that of Hartung and Knapp (Statistics in Medicine 20, 2001), Student's with
one degree of freedom fewer than hosts; where hosts agree by chance it would be absurdly narrow, so
it is at least as wide as the hosts' own errors alone make it (Jackson et al., Statistics in
Medicine 36, 2017). That of DerSimonian and Laird takes tau for known and is too narrow
for few hosts: benchmarks/pooled_simulated.py shows both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING

from opperf.core.statistics.student import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.05
HALVINGS = 100
TINY = 1e-12
"""The least standard error: hosts whose sessions never differ do not weigh infinitely much."""


@dataclass(frozen=True, kw_only=True)
class HostEstimate:
    """What one host says of a change: the logarithm of after / before, and its standard error.

    `freedom` is that of the error, which comes from so many sessions but two.
    """

    log_ratio: float
    error: float
    freedom: int

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the interval of the logarithm, Student's, at 1 - `level`."""
        half = quantile(level, self.freedom) * self.error
        return self.log_ratio - half, self.log_ratio + half


@dataclass(frozen=True, kw_only=True)
class PooledRatio:
    """The ratio over hosts, its 95 % interval, and how much the hosts' own ratios differ.

    `tau` is the standard deviation between hosts of the true logarithms. Of a single host the
    interval is its own, `tau` is None, and nothing is said of any other host.
    """

    ratio: float
    interval: tuple[float, float]
    tau: float | None
    hosts: int


def pool(estimates: Sequence[HostEstimate], level: float = LEVEL) -> PooledRatio:
    """Return the ratio over the hosts; there must be one at least."""
    if len(estimates) == 1:
        (only,) = estimates
        low, high = only.interval(level)
        return PooledRatio(
            ratio=exp(only.log_ratio), interval=(exp(low), exp(high)), tau=None, hosts=1
        )
    values = [one.log_ratio for one in estimates]
    variances = [max(one.error, TINY) ** 2 for one in estimates]
    between = variance_between(values, variances)
    weights = [1 / (one + between) for one in variances]
    middle = weighted_mean(values, weights)
    freedom = len(values) - 1
    scale = weighted_squares(values, weights) / freedom
    half = max(
        quantile(level, freedom) * sqrt(scale / sum(weights)),
        quantile(level, sum(one.freedom for one in estimates))
        / sqrt(sum(1 / one for one in variances)),
    )
    return PooledRatio(
        ratio=exp(middle),
        interval=(exp(middle - half), exp(middle + half)),
        tau=sqrt(between),
        hosts=len(values),
    )


def variance_between(values: Sequence[float], variances: Sequence[float]) -> float:
    """Return the variance between hosts at which the weighted squares are as many as expected.

    They fall as it grows, so that halving finds it; it is 0 where the hosts' own errors explain
    their differences.
    """

    def excess(between: float) -> float:
        weights = [1 / (one + between) for one in variances]
        return weighted_squares(values, weights) - (len(values) - 1)

    if excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, (max(values) - min(values)) ** 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the mean of the values with these weights."""
    return sum(w * y for w, y in zip(weights, values, strict=True)) / sum(weights)


def weighted_squares(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted sum of squares about the weighted mean."""
    middle = weighted_mean(values, weights)
    return sum(w * (y - middle) ** 2 for w, y in zip(weights, values, strict=True))
