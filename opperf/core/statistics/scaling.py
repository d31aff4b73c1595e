"""How an operator's time grows with its size: t(n) = overhead + n / rate, and where it does not.

The overhead is what a call costs whatever its size; the rate what it comes to where the size is
all; half of it is reached at n = overhead * rate (Hockney's n one half, 1977), the half-rate size.

Errors are relative, so that a microsecond counts as much beside three as a millisecond beside three
thousand. Sizes beyond a cache lie on another line: the line of least absolute errors is not bent by
them, and least squares over what is near it gives the figures. They are named as cliffs.

What the figures may be off by at 95 % follows from the least squares: Student's t times the
standard error, whose residuals are those of the points or what their own intervals say, if more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.tensors.tensor import Array

FEWEST = 4
"""Two points always lie on a line, and of three each could be the cliff."""
ON_ANY_LINE = 2
CLIFF = 0.15
NORMAL = 1.96
"""Standard deviations to either side that hold 95 % of normal figures."""
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)
"""The same by Student's t, by degrees of freedom from 1 on; the last one for more."""
RESOLVED = 0.05
"""A part of the time counts as seen where it is at least this share of a point's."""


@dataclass(frozen=True)
class SizePoint:
    """A size in bytes or FLOP, its seconds, and the 95 % interval of these where there is one."""

    n: float
    seconds: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Cliff:
    """A point off the line: `ratio` is its time over the line's, above 1 where it is slower.

    `error` is what the ratio may be off by, as a share of it.
    """

    n: float
    seconds: float
    ratio: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The line through the points; a part that the points do not show is None.

    `overhead` in seconds, `overhead_limit` what it is at most where it is None, `rate` in units of
    n a second, `half_rate` in units of n. The `_error` of each is the half-width of its 95 %
    interval as a share of it; None where too few points lie on the line.
    """

    overhead: float | None
    overhead_error: float | None
    overhead_limit: float
    rate: float | None
    rate_error: float | None
    half_rate: float | None
    half_rate_error: float | None
    cliffs: tuple[Cliff, ...]


@dataclass(frozen=True)
class FittedLine:
    """Overhead and slope, and their covariance times the square of Student's t; None if unknown."""

    overhead: float
    slope: float
    covariance: Array | None = None

    def at(self, n: float) -> float:
        """Return the time at a size."""
        return self.overhead + self.slope * n

    def error(self, *gradient: float) -> float | None:
        """Return the half-width of the interval of a figure with that gradient."""
        if self.covariance is None:
            return None
        weights = np.array(gradient)
        return float(np.sqrt(max(weights @ self.covariance @ weights, 0.0)))


def fit(points: Sequence[SizePoint]) -> Scaling | None:
    """Return the line through the points, None where there are too few of them or sizes."""
    if len({point.n for point in points}) < FEWEST:
        return None
    ordered = sorted(points, key=lambda point: point.n)
    n = np.array([point.n for point in ordered], dtype=float)
    seconds = np.array([point.seconds for point in ordered], dtype=float)
    if (seconds <= 0).any() or (n <= 0).any():
        return None
    own = np.array([own_error(point) for point in ordered])
    line = robust_line(n, seconds, own)
    limit = RESOLVED * float(seconds[0])
    overhead_error = relative(line.error(1, 0), line.overhead)
    rate_error = relative(line.error(0, 1), line.slope)
    rising = line.slope * n[-1] >= RESOLVED * line.at(n[-1]) and is_known(rate_error)
    seen = line.overhead >= limit and is_known(overhead_error)
    rate = 1 / line.slope if rising and line.slope > 0 else None
    half_rate = line.overhead * rate if seen and rate else None
    return Scaling(
        overhead=line.overhead if seen else None,
        overhead_error=overhead_error if seen else None,
        overhead_limit=max(line.overhead + (line.error(1, 0) or 0.0), limit),
        rate=rate,
        rate_error=rate_error if rate else None,
        half_rate=half_rate,
        half_rate_error=line.error(1 / line.overhead, -1 / line.slope) if half_rate else None,
        cliffs=tuple(found for point in ordered if (found := cliff(point, line))),
    )


def own_error(point: SizePoint) -> float:
    """Return the half-width of a point's own interval as a share of its time, 0 without one."""
    low, high = point.interval or (point.seconds, point.seconds)
    return (high - low) / (2 * point.seconds)


def relative(error: float | None, value: float) -> float | None:
    """Return an error as a share of what it is of."""
    return None if error is None or value <= 0 else error / value


def is_known(error: float | None) -> bool:
    """Return whether the interval does not reach down to zero, as far as anybody knows."""
    return error is None or error < 1


def cliff(point: SizePoint, line: FittedLine) -> Cliff | None:
    """Return the departure of a point from the line by more than 15 % and by more than its error.

    Which is the point's own together with the line's at its size.
    """
    expected = line.at(point.n)
    ratio = point.seconds / expected
    error = float(np.hypot(own_error(point), (line.error(1, point.n) or 0.0) / expected))
    if abs(ratio - 1) <= max(CLIFF, ratio * error):
        return None
    return Cliff(point.n, point.seconds, ratio, error)


def robust_line(n: Array, seconds: Array, own: Array) -> FittedLine:
    """Return the line with neither part below zero: least squares over what is on one line.

    That line is the one of least absolute relative errors, which always goes through two of the
    points, or through one where a part is zero: all of these are tried.
    """
    lines = [candidate for candidate in candidates(n, seconds) if min(candidate) >= 0]
    best = min(lines, key=lambda line: np.abs(errors(line, n, seconds)).sum())
    near = np.abs(errors(best, n, seconds)) <= CLIFF
    if near.sum() <= ON_ANY_LINE:
        return FittedLine(*best)
    return with_errors(least_squares(n[near], seconds[near]), n[near], seconds[near], own[near])


def with_errors(parts: tuple[float, float], n: Array, seconds: Array, own: Array) -> FittedLine:
    """Return the line with the covariance of its parts; a part that is zero has none."""
    there = np.array(parts) > 0
    matrix = np.stack([1 / seconds, n / seconds], axis=1)[:, there]
    freedom = len(n) - int(there.sum())
    residual = float((errors(parts, n, seconds) ** 2).sum()) / freedom
    variance = max(residual, float(np.mean((own / NORMAL) ** 2)))
    scales = np.linalg.norm(matrix, axis=0)
    inverse = np.linalg.pinv((matrix / scales).T @ (matrix / scales))
    covariance = np.zeros((2, 2))
    covariance[np.ix_(there, there)] = inverse / np.outer(scales, scales)
    t = STUDENT[min(freedom, len(STUDENT)) - 1]
    return FittedLine(*parts, t**2 * variance * covariance)


def candidates(n: Array, seconds: Array) -> Iterator[tuple[float, float]]:
    """Yield the lines through two points, and those through one that are all rate or all cost."""
    for x, y in zip(n, seconds, strict=True):
        yield 0.0, float(y / x)
        yield float(y), 0.0
    for (a, s), (b, t) in combinations(zip(n, seconds, strict=True), 2):
        if a != b:
            slope = (t - s) / (b - a)
            yield float(s - slope * a), float(slope)


def errors(line: tuple[float, float], n: Array, seconds: Array) -> Array:
    """Return how far the line is off each point, as a share of its time."""
    found: Array = (line[0] + line[1] * n) / seconds - 1
    return found


def least_squares(n: Array, seconds: Array) -> tuple[float, float]:
    """Return overhead and slope, neither below zero, of least squares of relative errors."""
    overhead, slope = solve(1 / seconds, n / seconds)
    if overhead < 0:
        return 0.0, solve(n / seconds)[0]
    return (overhead, slope) if slope >= 0 else (solve(1 / seconds)[0], 0.0)


def solve(*columns: Array) -> list[float]:
    """Return the factors by which the columns come nearest to ones; lengths may differ widely."""
    matrix = np.stack(columns, axis=1)
    scales = np.linalg.norm(matrix, axis=0)
    found = np.linalg.lstsq(matrix / scales, np.ones(len(matrix)), rcond=None)[0]
    return [float(value) for value in found / scales]
