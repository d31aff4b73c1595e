"""Statistics: from samples in time order to a summary that says how far to trust it.

The level is the sample: one clock interval over many iterations, within one process. Nothing here
speaks of differences between processes. The interval of the median uses order statistics (no
normality), with its ranks widened by the samples' autocorrelation; see docs/lab/method.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.configuration.settings import MINIMUM_SAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array

TAIL = 0.025
EQUAL = 1e-9
"""Samples that differ by less than this share differ by rounding only."""
NORMAL_MAD = 1.4826
"""Standard deviations per median absolute deviation, for normal samples."""

FEWEST_FOR_MODES = 20
MOST_FOR_TREND = 400
"""Drift looks at every pair of samples: of more, at as many medians of groups."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Seconds per iteration, net of the loop's overhead; `interval` holds the median at 95 %."""

    n: int
    n_eff: float
    minimum: float
    median: float
    mean: float
    mad: float
    iqr: float
    p5: float
    p90: float
    p99: float
    interval: tuple[float, float] | None
    precision: float | None
    outlier_share: float
    bimodal: bool
    drift: float


def summarize(times: Sequence[float]) -> Summary:
    """Return the summary of at least one time, in seconds per iteration and in time order."""
    values = np.asarray(times, dtype=float)
    p5, p25, median, p75, p90, p99 = (
        float(q) for q in np.percentile(values, (5, 25, 50, 75, 90, 99))
    )
    interval = median_interval(values)
    return Summary(
        n=len(values),
        n_eff=effective_size(values),
        minimum=float(values.min()),
        median=median,
        mean=float(values.mean()),
        mad=deviation(values),
        iqr=p75 - p25,
        p5=p5,
        p90=p90,
        p99=p99,
        interval=interval,
        precision=relative_half_width(interval, median),
        outlier_share=outlier_share(values),
        bimodal=is_bimodal(values),
        drift=drift(values),
    )


def deviation(values: Array) -> float:
    """Return the median absolute deviation from the median."""
    return float(np.median(np.abs(values - np.median(values))))


def relative_half_width(interval: tuple[float, float] | None, median: float) -> float | None:
    """Return half the interval's width over the median: the precision, as a fraction."""
    if interval is None or median <= 0:
        return None
    return (interval[1] - interval[0]) / (2 * median)


def lag_one_correlation(values: Array) -> float:
    """Return the correlation of each sample's rank with the next one's, corrected for its bias.

    Ranks, because a single preempted sample would drown the plain coefficient, and equal ones for
    ties, which a coarse clock makes many of; the bias of -1/n is that of Kendall (1954).
    """
    if len(values) < MINIMUM_SAMPLES or np.ptp(values) <= EQUAL * np.abs(values).max():
        return 0.0
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - counts / 2)[inverse]
    ranks -= ranks.mean()
    correlation = float(np.dot(ranks[:-1], ranks[1:]) / np.dot(ranks, ranks))
    return correlation + 1 / len(values)


def effective_size(values: Array) -> float:
    """Return how many independent samples these are worth: n (1 - r) / (1 + r), at most n."""
    correlation = min(max(lag_one_correlation(values), 0.0), 0.99)
    return len(values) * (1 - correlation) / (1 + correlation)


@cache
def lower_rank(n: int) -> int | None:
    """Return the 1-based rank whose order statistic bounds the median from below at 97.5 %.

    With its mirror image it makes a two-sided 95 % interval; below six samples there is none.
    """
    cumulative = 0.0
    for successes in range(n // 2 + 1):
        ways = lgamma(n + 1) - lgamma(successes + 1) - lgamma(n - successes + 1)
        cumulative += exp(ways - n * log(2))
        if cumulative > TAIL:
            return successes or None
    return None


def median_interval(values: Array) -> tuple[float, float] | None:
    """Return the order-statistic 95 % interval of the median, or None for too few samples.

    It is the whole range where fewer than six are independent: of few samples the autocorrelation
    is known too badly to deny them an interval.
    """
    n, independent = len(values), int(effective_size(values))
    if n < MINIMUM_SAMPLES:
        return None
    low, rank = 1, lower_rank(independent)
    if rank is not None:
        distance = ((independent + 1) / 2 - rank) * n / independent
        low = max(int((n + 1) / 2 - distance), 1)
    ordered = np.sort(values)
    return float(ordered[low - 1]), float(ordered[n - low])


def outlier_share(values: Array) -> float:
    """Return the share of samples more than five robust standard deviations off the median."""
    scale = NORMAL_MAD * deviation(values)
    if scale == 0:
        return 0.0
    return float(np.mean(np.abs(values - np.median(values)) > 5 * scale))


def is_bimodal(values: Array, *, least_share: float = 0.2, separation: float = 5.0) -> bool:
    """Return whether the samples fall into two groups that lie far apart for their widths.

    The groups are split where the sum of squares within them is least (Otsu, 1979); far apart means
    more than `separation` pooled standard deviations and 2 % of the median, in 20 samples or more.
    """
    ordered, n = np.sort(values), len(values)
    if n < FEWEST_FOR_MODES:
        return False
    least = int(np.ceil(least_share * n))
    splits = np.arange(least, n - least + 1)
    sums = np.cumsum(ordered - np.median(ordered))
    left, right = sums[splits - 1], sums[-1] - sums[splits - 1]
    between = left**2 / splits + right**2 / (n - splits)  # the rest of the sum of squares
    cut = least + int(np.argmax(between))
    gap = float(np.median(ordered[cut:]) - np.median(ordered[:cut]))
    widths = deviation(ordered[:cut]), deviation(ordered[cut:])
    scale = NORMAL_MAD * float(np.hypot(*widths)) / np.sqrt(2)
    return bool(gap > max(separation * scale, 0.02 * abs(float(np.median(values)))))


def drift(values: Array, *, significance: float = 3.0) -> float:
    """Return the relative change from first to last sample, 0.0 where it is not significant.

    Mann-Kendall's test at `significance` standard deviations; the size is Theil and Sen's slope.
    The autocorrelation that widens the test is that of the samples with their trend taken off (Yue
    and Wang, 2004), for the trend itself makes neighbors alike.
    """
    together = -(-len(values) // MOST_FOR_TREND)
    if together > 1:
        whole = len(values) // together * together
        values = np.median(values[:whole].reshape(-1, together), axis=1)
    n, median = len(values), float(np.median(values))
    if n < MINIMUM_SAMPLES or median <= 0:
        return 0.0
    first, second = np.triu_indices(n, k=1)
    differences = values[second] - values[first]
    slope = float(np.median(differences / (second - first)))
    independent = effective_size(values - slope * np.arange(n))
    spread = float(np.sqrt(n * (n - 1) * (2 * n + 5) / 18 * n / independent))
    if abs(float(np.sign(differences).sum())) <= significance * spread:
        return 0.0
    return slope * (n - 1) / median


def half_width(times: Sequence[float]) -> float | None:
    """Return the relative half-width of the median's interval."""
    values = np.asarray(times, dtype=float)
    return relative_half_width(median_interval(values), float(np.median(values)))
