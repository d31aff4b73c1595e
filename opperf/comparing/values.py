"""The verdict on a metric other than the time, by its values in both arms over sessions.

Values that never vary, as counts of bytes do, have no interval: one of width zero would promise
what nobody has shown. What so many sessions said is called exact, and no more. A ratio from or to
zero is none: then the difference decides, as a share of the larger of the two values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log, log1p
from statistics import median
from typing import TYPE_CHECKING

from opperf.comparing.signed_rank import center, interval
from opperf.comparing.verdict import Judgment, decide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.pair import PairMetric

REPEATED = 2
"""Sessions from which on values that agree say anything about the next one."""
BY_DIFFERENCE = "by the difference, for there is no ratio of 0"
BY_WORSE = {"less": ("worse", "better"), "more": ("better", "worse")}
"""What a larger and a smaller value are called, by which value is the better one."""


@dataclass(frozen=True)
class Values:
    """The values of a metric by session, several of each arm in turns."""

    sessions: Sequence[PairMetric]

    @cached_property
    def a(self) -> list[float]:
        """The value of arm A in each session."""
        return [each.medians[0] for each in self.sessions]

    @cached_property
    def b(self) -> list[float]:
        """That of arm B."""
        return [each.medians[1] for each in self.sessions]

    @cached_property
    def turns(self) -> list[tuple[float, float]]:
        """All values of A and B that were taken one after the other."""
        return [pair for each in self.sessions for pair in zip(each.a, each.b, strict=True)]

    @cached_property
    def by_difference(self) -> bool:
        """Whether a ratio is not defined, so that the difference is judged."""
        return any(min(pair) <= 0 for pair in self.turns)

    @cached_property
    def size(self) -> float:
        """What differences are shares of: the larger of the two arms' values."""
        largest = max(abs(median(self.a)), abs(median(self.b)))
        return largest or max((abs(value) for pair in self.turns for value in pair), default=0.0)

    @property
    def is_exact(self) -> bool:
        """Whether all values said the same of B against A."""
        return len({self.shift(*pair) for pair in self.turns}) == 1

    @property
    def shifts(self) -> list[float]:
        """By how much B is above A in each session: logarithms of ratios, or shares."""
        return [self.shift(*pair) for pair in zip(self.a, self.b, strict=True)]

    def shift(self, a: float, b: float) -> float:
        """Return by how much one value is above the other."""
        if self.by_difference:
            return (b - a) / self.size if self.size else 0.0
        return log(b / a)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The interval of the shifts; where most of them agree, the range of all values instead."""
        found = interval(self.shifts)
        if found is None or found[0] < found[1]:
            return found
        every = [self.shift(*pair) for pair in self.turns]
        return min(every), max(every)


def judge_values(sessions: Sequence[PairMetric], min_effect: float) -> Judgment:
    """Return the verdict on a metric that both arms have.

    Args:
        sessions: its values in each session.
        min_effect: the smallest change of interest, a fraction.

    """
    if not sessions:
        return Judgment(verdict="undecided", sessions=0, reason="no session was completed")
    values, better = Values(sessions), sessions[0].better
    verdict, reason = exact(values, min_effect) if values.is_exact else varied(values, min_effect)
    verdict, reason = worded(verdict, reason, better)
    middle = median(values.b) - median(values.a)
    made = Judgment(
        verdict=verdict,
        sessions=len(sessions),
        reason=reason,
        difference=middle,
        by_difference=values.by_difference,
        exact=values.is_exact and len(sessions) >= REPEATED,
    )
    bounds = None if values.is_exact else values.bounds
    if values.by_difference:
        size = values.size
        return replace(made, bounds=bounds and (bounds[0] * size, bounds[1] * size))
    return replace(
        made,
        ratio=values.b[0] / values.a[0] if values.is_exact else exp(center(values.shifts)),
        interval=bounds and (exp(bounds[0]), exp(bounds[1])),
    )


def exact(values: Values, min_effect: float) -> tuple[str, str | None]:
    """Return verdict and reason of values that all said the same."""
    count, shift = len(values.sessions), values.shifts[0]
    if count < REPEATED:
        return "undecided", "one session: nothing tells whether the values vary"
    verdict, reason = decide((shift, shift), shift, count, min_effect)
    said = f"exact: the same in all {count} sessions"
    if values.by_difference and values.size:
        said += f"; {BY_DIFFERENCE}"
    return verdict, f"{said}; {reason}" if reason and verdict != "different" else said


def varied(values: Values, min_effect: float) -> tuple[str, str | None]:
    """Return verdict and reason of values that vary from session to session."""
    shifts = values.shifts
    verdict, reason = decide(values.bounds, center(shifts), len(shifts), min_effect)
    if not values.by_difference:
        return verdict, reason
    return verdict, "; ".join(filter(None, [reason, BY_DIFFERENCE]))


def worded(verdict: str, reason: str | None, better: str | None) -> tuple[str, str | None]:
    """Return a verdict on a time as one on a metric of which less, more or neither is better."""
    if verdict not in {"slower", "faster"}:
        return verdict, reason
    if better in BY_WORSE:
        return BY_WORSE[better][verdict == "faster"], reason
    side = "more" if verdict == "slower" else "less"
    return "different", "; ".join(filter(None, [f"{side}, and neither is better", reason]))


def is_worse_again(sessions: Sequence[PairMetric], min_effect: float) -> bool:
    """Return whether fresh sessions say again that the metric is worse."""
    shift = center(Values(sessions).shifts)
    return (shift if sessions[0].better == "less" else -shift) > log1p(min_effect)
