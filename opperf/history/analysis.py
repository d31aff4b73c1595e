"""From points to a history: its changes with their sizes, and its gaps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import exp, expm1, log, sqrt
from statistics import fmean, median, variance
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.statistics.student import quantile
from opperf.history.detection import (
    LEAST_EFFECT,
    OWN_NOISE,
    find_splits,
    may_have_split,
    noise,
)
from opperf.history.model import TIME, Change, Gap, History

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.history.detection import ChangePoint
    from opperf.history.model import HistoryMetric, Point, SeriesSubject

LEVEL = 0.05
GAP = 3.0
"""Times the usual distance between sessions from which there is a gap."""
FEWEST = 6
"""Sessions from which a series' own noise is known well enough to judge two of them."""
NEAR = 5
"""Sessions by which the place of a change may move as more of them come."""


def analyze(
    subject: SeriesSubject, points: Sequence[Point], metric: HistoryMetric = TIME
) -> History:
    """Return the history of points in time order."""
    known = [point for point in points if point.value is not None]
    return History(
        subject=subject,
        metric=metric,
        points=tuple(points),
        changes=find_changes(judgeable(known)),
        gaps=find_gaps(known),
    )


def judgeable(points: Sequence[Point]) -> list[Point]:
    """Return the points above zero: a change is a ratio, and zero has none."""
    return [point for point in points if point.value is not None and point.value > 0]


def clip(history: History, since: int) -> History:
    """Return what a history has from a time on."""
    dropped = sum(point.at < since for point in judgeable(history.points))
    return replace(
        history,
        points=tuple(point for point in history.points if point.at >= since),
        changes=tuple(
            replace(found, index=found.index - dropped)
            for found in history.changes
            if found.at >= since
        ),
        gaps=tuple(gap for gap in history.gaps if gap.end >= since),
    )


def find_changes(points: Sequence[Point]) -> tuple[Change, ...]:
    """Return the changes among points that have a value above zero."""
    times = times_of(points)
    return tuple(change(points, times, split) for split in find_splits(times))


def times_of(points: Sequence[Point]) -> list[float]:
    """Return the values of points that have one."""
    return [point.value for point in points if point.value is not None]


def new_changes(points: Sequence[Point], since: int) -> tuple[Change, ...]:
    """Return the changes that the sessions since a time show, and those before it did not.

    A small step is known only some sessions after it, so that its own time may lie before `since`.
    """
    times = times_of(points)
    splits = find_splits(times) if may_have_split(times) else []
    if not splits:
        return ()
    earlier = times_of([point for point in points if point.at < since])
    known = [split.index for split in find_splits(earlier)]
    return tuple(
        change(points, times, split)
        for split in splits
        if points[split.index].at >= since
        or all(abs(split.index - index) > NEAR for index in known)
    )


def change(points: Sequence[Point], times: Sequence[float], split: ChangePoint) -> Change:
    """Return the change at a split: its ratio, interval and times."""
    before, after = times[split.start : split.index], times[split.index : split.end]
    return Change(
        index=split.index,
        at=points[split.index].at,
        last_before=points[split.index - 1].at,
        before=median(before),
        after=median(after),
        ratio=exp(split.difference),
        interval=ratio_interval(before, after, split.difference),
        threshold=exp(split.threshold) - 1,
        p_value=split.p_value,
        sessions_before=len(before),
        sessions_after=len(after),
    )


def ratio_interval(
    before: Sequence[float], after: Sequence[float], difference: float
) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of two levels: Student's, on logarithms."""
    logs = [log(value) for value in before], [log(value) for value in after]
    counts = len(before), len(after)
    freedom = sum(counts) - 2
    squares = sum(variance(side, fmean(side)) * (len(side) - 1) for side in logs)
    error = sqrt(squares / freedom * (1 / counts[0] + 1 / counts[1]))
    half = quantile(LEVEL, freedom) * error
    return exp(difference - half), exp(difference + half)


def find_gaps(points: Sequence[Point]) -> tuple[Gap, ...]:
    """Return where sessions are missing, going by how often they come otherwise."""
    moments = sorted({point.at for point in points})
    distances = [later - earlier for earlier, later in pairwise(moments)]
    if not distances:
        return ()
    usual = median(distances)
    pairs = pairwise(moments)
    return tuple(Gap(start=a, end=b) for a, b in pairs if b - a > GAP * usual)


def own_threshold(points: Sequence[Point]) -> float | None:
    """Return by how much two sessions may differ by the noise of these alone, as a fraction."""
    logs = np.log(times_of(points))
    if len(logs) < FEWEST:
        return None
    return expm1(max(OWN_NOISE * float(noise(logs)) * sqrt(2), LEAST_EFFECT))


def with_predecessors(histories: Sequence[History]) -> list[History]:
    """Return histories of one subject by their beginning, each with the machine before it.

    Hosts that have names measure beside each other, and none goes on where another ended.
    """
    ordered = sorted(histories, key=lambda history: history.points[0].at)
    found = ordered[:1]
    for earlier, later in pairwise(ordered):
        hosts = [one.subject.host for one in (earlier, later)]
        named = all(host is not None and host.name for host in hosts)
        follows = not named and earlier.points[-1].at < later.points[0].at
        machine = earlier.subject.machine_key if follows else None
        found.append(replace(later, previous_machine=machine))
    return found
