"""Where a series steps from one level to another: windowed e-divisive with a t-test.

E-divisive (Matteson and James, 2014) splits a stretch where the distances across the split exceed
those within its sides the most. Hunter (Fleming et al., ICPE 2023, doi 10.1145/3578244.3583719)
does so in overlapping windows, tests each split by Student's t instead of permutations, leniently
at first, and then removes the weakest until all of them pass a strict test between their whole
neighboring stretches. That is what is done here, with three differences: on logarithms, because
noise and changes are relative; a single point far off both its neighbors counts as their median, so
that one spike is no change and hides none; and a change must also exceed what the series' own noise
makes likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.statistics.student import tail
from opperf.core.statistics.summary import NORMAL_MAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array

WINDOW = 365
LEAST = 2
"""Sessions on either side of a change: one alone may be chance."""
LENIENT, STRICT = 1e-2, 3e-5
SPIKE = 4.0
"""Robust standard deviations from the median of a point and its neighbors."""
OWN_NOISE = 3.5
"""Standard errors of the series' own noise that a change must exceed."""
LEAST_EFFECT = 0.005
SCREEN = 3.3
"""The t below which no split of a stretch would pass the strict test."""


@dataclass(frozen=True)
class ChangePoint:
    """A split of a stretch of values [start, end) before `index`, and how sure it is."""

    start: int
    index: int
    end: int
    difference: float
    p_value: float
    threshold: float

    @property
    def weakness(self) -> float:
        """How far it is from passing; above 1 it does not."""
        effect = abs(self.difference)
        return max(self.p_value / STRICT, self.threshold / effect if effect else inf)


def find_splits(times: Sequence[float]) -> list[ChangePoint]:
    """Return where the times, all above zero and in time order, change their level."""
    values = despike(np.log(np.asarray(times, dtype=float)))
    return merge(values, weak_splits(values))


def may_have_split(times: Sequence[float]) -> bool:
    """Return whether a look at all times in one stretch leaves a change possible; much faster."""
    return bool(may_have_splits(np.asarray(times, dtype=float)))


def may_have_splits(times: Array) -> Array:
    """Return the same of many series of equal length at once, which lie along the last axis."""
    values = despike(np.log(times))
    n = values.shape[-1]
    if n < 2 * LEAST:
        return np.zeros(values.shape[:-1], dtype=bool)
    sums = np.cumsum(values - values.mean(axis=-1, keepdims=True), axis=-1)
    squares = np.var(values, axis=-1) * n
    left = np.arange(LEAST, n - LEAST + 1)
    between = sums[..., left - 1] ** 2 * (1 / left + 1 / (n - left))
    best = between.max(axis=-1)
    return np.asarray(best * (n - 2) > SCREEN**2 * np.maximum(squares - best, 0.0))


def despike(values: Array) -> Array:
    """Return the values with each lone one far off replaced by the median of it and its neighbors.

    A step has no lone values, so it stays where it is; the neighbors of an end are the next two.
    Series lie along the last axis.
    """
    if values.shape[-1] < 3:  # noqa: PLR2004 - a value and its neighbors
        return values
    before, own, after = values[..., :-2], values[..., 1:-1], values[..., 2:]
    middles = np.maximum(
        np.minimum(before, own), np.minimum(np.maximum(before, own), after)
    )  # the median of three, many times faster than np.median
    middles = np.concatenate([middles[..., :1], middles, middles[..., -1:]], axis=-1)
    usual = np.maximum(noise(values), 1e-12)
    return np.where(np.abs(values - middles) > SPIKE * usual[..., None], middles, values)


def noise(values: Array) -> Array:
    """Return the standard deviation of the values about their level, from neighbors alone.

    Neighbors differ by noise and, here and there, by a step, which a median does not see. Series
    lie along the last axis.
    """
    if values.shape[-1] < 2:  # noqa: PLR2004 - one difference
        return np.zeros(values.shape[:-1])
    distances = np.abs(np.diff(values, axis=-1))
    return np.asarray(NORMAL_MAD * np.median(distances, axis=-1) / sqrt(2))


def weak_splits(values: Array) -> list[int]:
    """Return the splits of all windows that pass the lenient test."""
    found: set[int] = set()
    start = 0
    while start < len(values):
        inside = divide(values, start, min(start + WINDOW, len(values)))
        found.update(inside)
        start = max([start + WINDOW // 2, *inside])
    return sorted(found)


def divide(values: Array, start: int, end: int) -> list[int]:
    """Return the splits of a stretch, and of the stretches between them."""
    index = best_split(values[start:end])
    if index is None:
        return []
    split = judge(values, start, start + index, end)
    if split.p_value > LENIENT:
        return []
    return [*divide(values, start, split.index), split.index, *divide(values, split.index, end)]


def best_split(values: Array) -> int | None:
    """Return how many values stand before the split with the largest divergence.

    The divergence of Matteson and James, with distances |x - y|: twice the mean across the split
    less the means within both sides, times n m / (n + m).
    """
    n = len(values)
    if n < 2 * LEAST:
        return None
    left = np.arange(LEAST, n - LEAST + 1)
    right = n - left
    sums = np.abs(values[:, None] - values).cumsum(axis=1)
    whole = sums[:, -1].cumsum()
    within_left = 2 * sums.diagonal().cumsum()[left - 1]
    across = whole[left - 1] - within_left
    within_right = whole[-1] - within_left - 2 * across
    divergence = (
        2 * across / (left * right)
        - within_left / (left * (left - 1))
        - within_right / (right * (right - 1))
    )
    return LEAST + int(np.argmax(divergence * left * right / n))


def judge(values: Array, start: int, index: int, end: int) -> ChangePoint:
    """Return a split with the p-value of Student's t and the threshold of the series' own noise."""
    left, right = values[start:index], values[index:end]
    counts = len(left), len(right)
    share = 1 / counts[0] + 1 / counts[1]
    freedom = counts[0] + counts[1] - 2
    squares = float(((left - left.mean()) ** 2).sum() + ((right - right.mean()) ** 2).sum())
    own = float(noise(values[start:end]))
    error = sqrt(max(squares / freedom, own**2, 1e-24) * share)
    difference = float(right.mean() - left.mean())
    p_value = tail(difference / error, freedom)
    past = float(noise(left)) if counts[0] > 2 * LEAST else own
    threshold = max(OWN_NOISE * past * sqrt(share), LEAST_EFFECT)
    return ChangePoint(start, index, end, difference, p_value, threshold)


def merge(values: Array, indexes: Sequence[int]) -> list[ChangePoint]:
    """Remove the weakest split until all pass, each between its whole neighboring stretches."""
    kept = [*indexes]
    while kept:
        bounds = [0, *kept, len(values)]
        splits = [judge(values, *bounds[i : i + 3]) for i in range(len(kept))]
        weakest = max(range(len(kept)), key=lambda i: splits[i].weakness)
        if splits[weakest].weakness <= 1:
            return splits
        del kept[weakest]
    return []
