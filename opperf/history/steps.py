"""By how much one host's sessions differ before and after a time that another may have given."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.history.analysis import find_changes, times_of
from opperf.history.detection import despike, may_have_split
from opperf.history.pooling import HostEstimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array
    from opperf.history.model import Change, Point

SIDE = 12
"""Sessions on either side that are looked at, where the series steps nowhere nearer."""
LEAST = 2
NEAR = 7 * 24 * 3600 * 1000
"""Milliseconds by which hosts may differ in when they show one change."""
SURE = 0.01
LEAST_MOVE = 0.01
"""What counts as moved: beyond this interval's level, and by so much."""


@dataclass(frozen=True)
class HostSeries:
    """The sessions of a series that have a time, whose changes are searched once."""

    points: Sequence[Point]

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Its own changes."""
        return find_changes(self.points) if may_have_split(times_of(self.points)) else ()

    @cached_property
    def logs(self) -> Array:
        """The logarithms of its times, without lone spikes."""
        return despike(np.log(np.asarray(times_of(self.points), dtype=float)))

    def step_at(self, at: int) -> HostEstimate | None:
        """Return the step at a time, None where there are too few sessions around it.

        Where the series has a change of its own near that time, its place is what counts.
        """
        own = own_change(self.changes, at)
        index = own.index if own else bisect_left([point.at for point in self.points], at)
        bounds = [0, *(one.index for one in self.changes if one is not own), len(self.points)]
        start = max([index - SIDE, *(bound for bound in bounds if bound < index)])
        end = min([index + SIDE, *(bound for bound in bounds if bound > index)])
        before, after = self.logs[start:index], self.logs[index:end]
        if min(len(before), len(after)) < LEAST:
            return None
        freedom = len(before) + len(after) - 2
        squares = float(((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum())
        return HostEstimate(
            log_ratio=float(after.mean() - before.mean()),
            error=sqrt(squares / freedom * (1 / len(before) + 1 / len(after))),
            freedom=freedom,
        )


def own_change(changes: Sequence[Change], at: int) -> Change | None:
    """Return the change nearest to a time, None where none is near."""
    near = [one for one in changes if abs(one.at - at) <= NEAR]
    return min(near, key=lambda one: abs(one.at - at), default=None)


def sense_of(step: HostEstimate) -> int:
    """Return 1 where a series surely became slower, -1 where it became faster, else 0."""
    low, high = step.interval(SURE)
    if low > 0 and step.log_ratio > LEAST_MOVE:
        return 1
    return -1 if high < 0 and step.log_ratio < -LEAST_MOVE else 0
