"""How fast a host is against the others of its kind, by the calibration set."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from statistics import fmean, median
from typing import TYPE_CHECKING

from opperf.history.analysis import judgeable, times_of
from opperf.history.shift import mean_ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.history.model import Point

RECENT = 10
"""Sessions at the end of a series that say how fast it is now."""


@dataclass(frozen=True, kw_only=True)
class CalibrationFactor:
    """A host's times over those of the other hosts of its kind, with its 95 % interval.

    Above 1 the host is slower. It is shown beside what was measured and never multiplied into it.
    """

    ratio: float
    interval: tuple[float, float]
    operators: int
    hosts: int


def calibration_factor(
    host: str, levels: Mapping[str, Mapping[str, Mapping[bytes, float]]]
) -> CalibrationFactor | None:
    """Return the factor of a host, None where too few operators or no other host have sessions.

    Args:
        host: one of `levels`.
        levels: the logarithm of the time of each subject, by host of the kind and by operator.

    """
    others = [other for name, other in levels.items() if name != host]
    logs: list[float] = []
    partners: set[int] = set()
    for operator, subjects in levels[host].items():
        ratios = []
        for subject, own in subjects.items():
            found = {
                place: other[operator][subject]
                for place, other in enumerate(others)
                if subject in other.get(operator, {})
            }
            if found:
                ratios.append(own - fmean(found.values()))
                partners.update(found)
        if ratios:
            logs.append(median(ratios))
    ratio, interval = mean_ratio(logs)
    if ratio is None or interval is None:
        return None
    return CalibrationFactor(
        ratio=ratio, interval=interval, operators=len(logs), hosts=len(partners)
    )


def level_of(points: Sequence[Point]) -> float | None:
    """Return the logarithm of a series' newest level, None where it has no time."""
    times = times_of(judgeable(points)[-RECENT:])
    return log(median(times)) if times else None
