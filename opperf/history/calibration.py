"""How fast a host is against the others of its kind, by the calibration set."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, hypot, log, sqrt
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, NamedTuple

from opperf.core.statistics.student import quantile
from opperf.history.analysis import judgeable, times_of
from opperf.history.pooling import LEVEL
from opperf.history.shift import FEWEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.history.model import Point

LEAST_SESSIONS = 2
MEDIAN_ERROR = 1.25
"""The standard error of a median over that of a mean, of normal values: sqrt(pi / 2)."""


class HostLevel(NamedTuple):
    """Where a series stands on a host: the logarithm of its median time, and its standard error."""

    log_time: float
    error: float


@dataclass(frozen=True, kw_only=True)
class CalibrationFactor:
    """A host's times over the median of the other hosts of its kind, with its 95 % interval.

    Above 1 the host is slower. It is shown beside what was measured and never multiplied into it.
    """

    ratio: float
    interval: tuple[float, float]
    operators: int
    hosts: int


def calibration_factor(
    host: str, levels: Mapping[str, Mapping[str, Mapping[bytes, HostLevel]]]
) -> CalibrationFactor | None:
    """Return the factor of a host, None where too few operators or no other host have sessions.

    An operator counts once. The interval is Student's over the operators, widened by what sessions
    differ by, as if all operators of a session went together: many operators do not make that
    smaller.

    Args:
        host: one of `levels`.
        levels: of the calibration series on the hosts of its kind, by operator and subject.

    """
    others = [other for name, other in levels.items() if name != host]
    logs: list[float] = []
    errors: list[float] = []
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
                ratios.append(own.log_time - median(one.log_time for one in found.values()))
                shared = MEDIAN_ERROR * fmean(one.error for one in found.values())
                errors.append(hypot(own.error, shared / sqrt(len(found))))
                partners.update(found)
        if ratios:
            logs.append(median(ratios))
    if len(logs) < FEWEST:
        return None
    middle = fmean(logs)
    half = quantile(LEVEL, len(logs) - 1) * hypot(stdev(logs) / sqrt(len(logs)), median(errors))
    return CalibrationFactor(
        ratio=exp(middle),
        interval=(exp(middle - half), exp(middle + half)),
        operators=len(logs),
        hosts=len(partners),
    )


def level_of(points: Sequence[Point]) -> HostLevel | None:
    """Return where the sessions stand, None where fewer than two have a time."""
    logs = [log(time) for time in times_of(judgeable(points))]
    if len(logs) < LEAST_SESSIONS:
        return None
    return HostLevel(median(logs), MEDIAN_ERROR * stdev(logs) / sqrt(len(logs)))
