"""A metric other than the time in two stored runs: what may be said of values taken apart in time.

As for times, what two runs of the same code may differ by is added to what their sessions differ
by. Values that agree over several sessions of both runs are exact, and have no interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log
from statistics import median
from typing import TYPE_CHECKING

from opperf.comparing.campaign import TIME
from opperf.comparing.row import ComparedMetric, ComparedRow, subject_of
from opperf.comparing.stored import APART
from opperf.comparing.values import BY_DIFFERENCE, REPEATED, worded
from opperf.comparing.verdict import Judgment, decide
from opperf.core.results.metrics import metrics_of
from opperf.core.results.status import TIMED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.comparing.stored import Match
    from opperf.core.results.quantity import MetricRecord
    from opperf.core.results.result import Result

MISSING = "its results have no such metric"
WHOLE = ("run", "")
"""What a metric is of that is taken once a session, of a whole run or as a rate of one."""
ONCE = "one session of each run: what it varies by is not known"


@dataclass(frozen=True)
class Side:
    """A metric in the sessions of one run: those that have it, and all ends of their intervals."""

    metrics: Sequence[MetricRecord]

    @property
    def values(self) -> list[float]:
        """The values of all sessions."""
        return [metric.value for metric in self.metrics if metric.value is not None]

    @property
    def ends(self) -> list[float]:
        """The values, and the ends of the intervals that were known of them."""
        return [*self.values, *(end for each in self.metrics for end in each.interval or ())]

    @property
    def repeats(self) -> bool:
        """Whether several sessions found the same value."""
        return len(self.values) >= REPEATED and len({*self.values}) == 1

    @property
    def middle(self) -> float | None:
        """The value of the run."""
        return median(self.values) if self.values else None

    def spread(self, size: float, *, by_difference: bool) -> float:
        """Return by how much the sessions are off the middle: as a logarithm, or a share."""
        middle = self.middle or 0.0
        if by_difference:
            return max(abs(end - middle) for end in self.ends) / size
        return max(abs(log(end / middle)) for end in self.ends)

    @property
    def once(self) -> bool:
        """Whether it is of one whole run, of which nobody knows what it varies by."""
        return len(self.values) == 1 and any(
            each.per in WHOLE and each.interval is None for each in self.metrics
        )

    def absence(self, run: str) -> str | None:
        """Return why there is no value, None where there is one."""
        if self.values:
            return None
        return f"run {run}: {next((each.reason for each in self.metrics if each.reason), MISSING)}"


def row_of_match(match: Match, name: str, min_effect: float) -> ComparedRow:
    """Return what may be said of the time or another metric of a series that both runs have."""
    return match.row(min_effect) if name == TIME else metric_row(match, name, min_effect)


def metric_row(match: Match, name: str, min_effect: float) -> ComparedRow:
    """Return what may be said of a metric of a series that both runs have.

    Args:
        match: the results of the series.
        name: that of the metric.
        min_effect: the smallest change of interest, a fraction.

    """
    a, b = Side(found(match.a, name)), Side(found(match.b, name))
    sessions = min(len(match.a), len(match.b))
    verdict, reason = match.ended()
    if verdict is None and (absence := a.absence("a") or b.absence("b")):
        verdict, reason = "no_value", absence
    if verdict is None:
        made = judge_sides(a, b, min_effect)
    else:
        made = Judgment(verdict=verdict, sessions=sessions, reason=reason)
    return ComparedRow(
        **subject_of((match.b or match.a)[0]),
        a_seconds=None,
        b_seconds=None,
        ratio=made.ratio,
        interval=made.interval,
        reliable=made.ratio is not None and (made.exact or made.interval is not None),
        sessions=sessions,
        disturbed=0,
        pairs=0,
        verdict=made.verdict,
        confirmed=None,
        reason=made.reason,
        control=False,
        values=ComparedMetric(
            metric=name,
            unit=next((each.unit for each in (*a.metrics, *b.metrics)), ""),
            a=a.middle,
            b=b.middle,
            difference=made.difference,
            bounds=made.bounds,
            by_difference=made.by_difference,
            exact=made.exact,
        ),
    )


def found(results: Sequence[Result], name: str) -> list[MetricRecord]:
    """Return a metric of the results that have a time, with or without a value."""
    every = [metrics_of(result).get(name) for result in results if result.status in TIMED]
    return [metric for metric in every if metric is not None]


def judge_sides(a: Side, b: Side, min_effect: float) -> Judgment:
    """Return the verdict on a metric that both runs have a value of."""
    first, second = a.middle or 0.0, b.middle or 0.0
    exact = a.repeats and b.repeats
    by_difference = min(*a.ends, *b.ends) <= 0
    size = max(abs(first), abs(second)) or 1.0
    own = a.spread(size, by_difference=by_difference) + b.spread(size, by_difference=by_difference)
    half = 0.0 if exact else APART + own
    middle = (second - first) / size if by_difference else log(second / first)
    bounds = middle - half, middle + half
    once = a.once or b.once
    verdict, open_reason = decide(bounds, middle, REPEATED, min_effect)
    if once:
        verdict, open_reason = "noisy", ONCE
    said = [
        f"exact: {len(a.values)} and {len(b.values)} sessions say the same" if exact else "",
        ONCE if len(a.values) == len(b.values) == 1 or once else "",
        BY_DIFFERENCE if by_difference and size else "",
        "measured apart in time; `opperf ab` tells" if open_reason and not exact else "",
    ]
    verdict, reason = worded(verdict, "; ".join(filter(None, said)) or None, a.metrics[0].better)
    made = Judgment(
        verdict=verdict,
        sessions=min(len(a.values), len(b.values)),
        reason=reason,
        difference=second - first,
        by_difference=by_difference,
        exact=exact,
    )
    if by_difference:
        return replace(made, bounds=None if exact or once else (bounds[0] * size, bounds[1] * size))
    interval = None if exact or once else (exp(bounds[0]), exp(bounds[1]))
    return replace(made, ratio=second / first, interval=interval)
