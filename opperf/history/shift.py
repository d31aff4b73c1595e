"""Whether a host as a whole changed at a time: what its calibration set says."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import exp
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from opperf.core.statistics.student import quantile
from opperf.history.pooling import LEVEL
from opperf.history.steps import sense_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.history.pooling import HostEstimate

FEWEST = 8
"""Operators of the calibration set that must be there for it to say anything."""
MOST = 0.5
"""The share of them that moves together where the host is what changed."""


class CalibrationStep(NamedTuple):
    """A series of the calibration set at the time of a change."""

    operator: str
    framework: str
    step: HostEstimate


@dataclass(frozen=True, kw_only=True)
class HostShift:
    """How many operators of a host's calibration set moved in one sense, and by which ratio.

    `ratio` and its 95 % interval are over the operators; both are None where there are too few.
    `frameworks` are those in which most operators moved.
    """

    operators: int
    moved: int
    sense: int
    ratio: float | None
    interval: tuple[float, float] | None
    frameworks: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether there are enough operators."""
        return self.operators >= FEWEST

    @property
    def is_shifted(self) -> bool:
        """Whether most operators moved in one sense."""
        return self.is_known and self.moved >= MOST * self.operators


def shift_of(steps: Sequence[CalibrationStep]) -> HostShift:
    """Return what the steps of a host's calibration series say together.

    An operator counts once, whatever the number of its series: by the sense of most of them.
    """
    by_operator: dict[str, list[CalibrationStep]] = defaultdict(list)
    for one in steps:
        by_operator[one.operator].append(one)
    senses = {name: sense_of_most(series) for name, series in by_operator.items()}
    counts = Counter(sense for sense in senses.values() if sense)
    sense, moved = counts.most_common(1)[0] if counts else (0, 0)
    logs = [median(one.step.log_ratio for one in series) for series in by_operator.values()]
    middle, interval = mean_ratio(logs)
    return HostShift(
        operators=len(by_operator), moved=moved, sense=sense, ratio=middle, interval=interval,
        frameworks=tuple(sorted(moved_frameworks(steps, sense))),
    )  # fmt: skip


def sense_of_most(steps: Sequence[CalibrationStep]) -> int:
    """Return the sense in which most series moved, 0 where most did not."""
    senses = Counter(sense_of(one.step) for one in steps)
    return next((sense for sense in (1, -1) if senses[sense] > len(steps) / 2), 0)


def moved_frameworks(steps: Sequence[CalibrationStep], sense: int) -> list[str]:
    """Return the frameworks in which most series moved in this sense."""
    senses: dict[str, list[int]] = defaultdict(list)
    for one in steps:
        senses[one.framework].append(sense_of(one.step))
    return [name for name, found in senses.items() if sense and found.count(sense) > len(found) / 2]


def mean_ratio(logs: Sequence[float]) -> tuple[float | None, tuple[float, float] | None]:
    """Return the mean ratio of operators with its 95 % interval, Student's over the operators."""
    if len(logs) < FEWEST:
        return None, None
    middle, freedom = fmean(logs), len(logs) - 1
    error = (sum((one - middle) ** 2 for one in logs) / freedom / len(logs)) ** 0.5
    half = quantile(LEVEL, freedom) * error
    return exp(middle), (exp(middle - half), exp(middle + half))
