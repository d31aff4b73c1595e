"""How an operator's time grows with its size: t(n) = overhead + n / rate, and where it does not.

The overhead is what a call costs whatever its size; the rate what it comes to where the size is
all; they weigh the same at the crossover, n = overhead * rate (Hockney's n one half, 1977).

Errors are relative, so that a microsecond counts as much beside three as a millisecond beside three
thousand. Sizes beyond a cache lie on another line: the line of least absolute errors is not bent by
them, and least squares over what is near it gives the figures. They are named as cliffs.
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
RESOLVED = 0.05
"""A part of the time counts as seen where it is at least this share of a point's."""


@dataclass(frozen=True)
class Point:
    """A size in bytes or FLOP, its seconds, and the 95 % interval of these where there is one."""

    n: float
    seconds: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Cliff:
    """A point off the line: `ratio` is its time over the line's, above 1 where it is slower."""

    n: float
    seconds: float
    ratio: float


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The line through the points; a part that the points do not show is None.

    `overhead` in seconds, `overhead_limit` what it is at most where it is None, `rate` in units of
    n a second, `crossover` in units of n.
    """

    overhead: float | None
    overhead_limit: float
    rate: float | None
    crossover: float | None
    cliffs: tuple[Cliff, ...]


def fit(points: Sequence[Point]) -> Scaling | None:
    """Return the line through the points, None where there are too few of them or sizes."""
    ordered = sorted(points, key=lambda point: point.n)
    n = np.array([point.n for point in ordered], dtype=float)
    seconds = np.array([point.seconds for point in ordered], dtype=float)
    if len(np.unique(n)) < FEWEST or (seconds <= 0).any() or (n <= 0).any():
        return None
    overhead, slope = robust_line(n, seconds)
    line = overhead + slope * n
    limit = RESOLVED * float(seconds[0])
    rising = slope * n[-1] >= RESOLVED * line[-1]
    seen = overhead >= limit
    rate = 1 / slope if rising and slope > 0 else None
    return Scaling(
        overhead=overhead if seen else None,
        overhead_limit=max(overhead, limit),
        rate=rate,
        crossover=overhead * rate if seen and rate else None,
        cliffs=tuple(
            Cliff(point.n, point.seconds, point.seconds / expected)
            for point, expected in zip(ordered, map(float, line), strict=True)
            if is_off(point, expected)
        ),
    )


def is_off(point: Point, expected: float) -> bool:
    """Return whether a point departs from the line by more than 15 % and its own interval."""
    if abs(point.seconds / expected - 1) <= CLIFF:
        return False
    low, high = point.interval or (point.seconds, point.seconds)
    return not low <= expected <= high


def robust_line(n: Array, seconds: Array) -> tuple[float, float]:
    """Return overhead and slope, neither below zero: least squares over what is on one line.

    That line is the one of least absolute relative errors, which always goes through two of the
    points, or through one where a part is zero: all of these are tried.
    """
    lines = [candidate for candidate in candidates(n, seconds) if min(candidate) >= 0]
    overhead, slope = min(lines, key=lambda line: np.abs(errors(line, n, seconds)).sum())
    near = np.abs(errors((overhead, slope), n, seconds)) <= CLIFF
    return least_squares(n[near], seconds[near]) if near.sum() > ON_ANY_LINE else (overhead, slope)


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
