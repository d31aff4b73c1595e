"""The size of a change between two commits, by the signed ranks of their sessions."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING

from opperf.comparing.signed_rank import LOOKS, MOST, averages, center, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

DEVIATIONS = 2.66
"""The critical value at a comparison's last look, in standard deviations of the signed-rank
statistic. It also holds for sessions beyond, any of which may turn out to be the last."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """The ratio of the times of two commits over so many sessions, and its interval of 95 %."""

    sessions: int
    ratio: float | None = None
    interval: tuple[float, float] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes that nothing changed."""
        return self.interval is not None and not self.interval[0] <= 1 <= self.interval[1]


def step_of(ratios: Sequence[float]) -> Step:
    """Return the change that the log ratios of sessions show."""
    if not ratios:
        return Step(sessions=0)
    ends = interval(ratios) if len(ratios) <= MOST else many(ratios)
    found = (exp(ends[0]), exp(ends[1])) if ends and len(ratios) >= min(LOOKS) else None
    return Step(sessions=len(ratios), ratio=exp(center(ratios)), interval=found)


def many(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the interval of more sessions than `opperf ab` takes, by the normal approximation."""
    count = len(ratios)
    middle = count * (count + 1) / 4
    rank = int(middle - DEVIATIONS * sqrt(middle * (2 * count + 1) / 6))
    found = averages(ratios)
    return float(found[rank - 1]), float(found[-rank])
