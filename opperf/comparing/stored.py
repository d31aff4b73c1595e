"""Two stored runs, result by result: what may still be said of numbers taken apart in time.

Nothing was interleaved: machine, neighbors and layout of memory may have changed between the runs,
and that goes into the interval. It is therefore much wider than that of `opperf ab`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p
from statistics import median
from typing import TYPE_CHECKING

from opperf.comparing.row import ComparedRow, subject_of
from opperf.comparing.verdict import decide
from opperf.core.errors import OpperfError
from opperf.core.results.status import TIMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.results.result import Result

APART = 0.04
"""What two runs of the same code differ by, either way, beyond their own intervals: twice the
standard deviation between processes that docs/lab/method.md reports for this project's machines."""
WIDEST = 20.0
"""The widest half of an interval of logarithms: factors beyond say nothing more, and overflow."""
MIN_STORED_EFFECT = 0.1
"""The smallest change of interest, unless asked otherwise: a smaller one could never be called."""


class NotComparableError(OpperfError):
    """The runs measured different things under the same name."""

    exit_code = 14


@dataclass(frozen=True, kw_only=True)
class Match:
    """The results of one series in both runs, several where a run has several sessions."""

    a: Sequence[Result]
    b: Sequence[Result]

    def row(self, min_effect: float) -> ComparedRow:
        """Return what may be said of it."""
        first = (self.b or self.a)[0]
        ours, theirs = best(self.a), best(self.b)
        a, b = seconds_of(ours), seconds_of(theirs)
        ratio = interval = None
        verdict, reason = self.ended()
        half = half_width(ours, theirs)
        if verdict is None and a is not None and b is not None:
            middle = log(b) - log(a)
            ratio = exp(middle)
            if half is not None:
                verdict, reason = decide((middle - half, middle + half), middle, 1, min_effect)
                interval = exp(middle - half), exp(middle + half)
                reason = reason and "measured apart in time; `opperf ab` tells"
        if verdict is None:
            verdict, reason = "noisy", "a time has no usable interval"
        return ComparedRow(
            **subject_of(first),
            a_seconds=a,
            b_seconds=b,
            ratio=ratio,
            interval=interval,
            reliable=ratio is not None and all(r.reliable for r in (*ours, *theirs)),
            sessions=min(len(self.a), len(self.b)),
            disturbed=0,
            pairs=0,
            verdict=verdict,
            confirmed=None,
            reason=reason,
            control=False,
        )

    def ended(self) -> tuple[str | None, str | None]:
        """Return the verdict of how the results ended, None where values decide."""
        a, b = (status_of(results) for results in (self.a, self.b))
        for arm, status in (("a", a), ("b", b)):
            if status == "wrong_result":
                return "wrong_result", f"in run {arm}"
        for arm, status in (("a", a), ("b", b)):
            if status == "no_time":
                return "undecided", f"run {arm} found no time"
        if a not in TIMED and b not in TIMED:
            return "fails", f"{a} in both runs"
        if b not in TIMED:
            return "newly_fails", b
        return ("newly_works", a) if a not in TIMED else (None, None)


@dataclass(frozen=True, kw_only=True)
class Matched:
    """What both runs measured, how many series only one of them has, and what means two things.

    `different` names the operators of which something else was measured, or in another way.
    """

    matches: Sequence[Match]
    only_a: int
    only_b: int
    different: Sequence[str]

    def require_same(self) -> None:
        """Raise unless all that both measured means the same.

        Raises:
            NotComparableError: names one that does not.
        """
        if self.different:
            raise NotComparableError(
                f"{self.different[0]} was declared or measured differently in the two runs, and so "
                f"were {len(self.different) - 1} others; measure both with the same opperf"
            )


def match(a: Iterable[Result], b: Iterable[Result]) -> Matched:
    """Return what both runs measured, by series; not what nobody asked for in either."""
    ours, theirs = by_series(a), by_series(b)
    both = [(ours[key], theirs[key]) for key in ours if key in theirs]
    common = [pair for pair in both if not all(r.companion for side in pair for r in side)]
    same = [pair for pair in common if is_same(*pair)]
    return Matched(
        matches=[Match(a=one, b=other) for one, other in same],
        only_a=len(ours) - len(both),
        only_b=len(theirs) - len(both),
        different=[
            f"{one[0].operator.name} ({one[0].operator.framework})"
            for one, other in common
            if not is_same(one, other)
        ],
    )


def is_same(a: Sequence[Result], b: Sequence[Result]) -> bool:
    """Return whether the numbers of two runs mean the same."""
    return a[0].definition_key == b[0].definition_key


def by_series(results: Iterable[Result]) -> Mapping[str, list[Result]]:
    """Return the results by what they are of; one that was not tried says nothing."""
    found: dict[str, list[Result]] = {}
    for result in results:
        if result.status not in {"skipped", "interrupted", "unsupported"}:
            found.setdefault(result.series_key, []).append(result)
    return found


def machines(results: Iterable[Result]) -> set[str]:
    """Return the keys of the machines that the results are of."""
    return {str(result.environment.get("machine_key")) for result in results}


def ways(results: Iterable[Result]) -> set[str]:
    """Return in which unusual ways the results were measured."""
    return {str(result.operator.unusual) for result in results}


def best(results: Sequence[Result]) -> Sequence[Result]:
    """Return the sessions with reliable times, or all with a time where there are none."""
    timed = [result for result in results if result.seconds is not None]
    return [result for result in timed if result.reliable] or timed


def seconds_of(results: Sequence[Result]) -> float | None:
    """Return the median of the sessions' times."""
    times = [result.seconds for result in results if result.seconds is not None]
    return median(times) if times else None


def half_width(a: Sequence[Result], b: Sequence[Result]) -> float | None:
    """Return by how much the logarithm of the ratio may be off; None where nobody knows.

    An interval that reaches down to zero says nothing of a ratio.
    """
    widest = [precision_of(a), precision_of(b)]
    known = [each for each in widest if each is not None and each < 1]
    return APART - sum(map(log1p, (-each for each in known))) if known == widest else None


def precision_of(results: Sequence[Result]) -> float | None:
    """Return the relative half-width of the widest interval; None where one is missing."""
    widths = [result.summary.precision if result.summary else None for result in results]
    known = [float(width) for width in widths if width is not None]
    return max(known) if known and len(known) == len(widths) else None


def status_of(results: Sequence[Result]) -> str:
    """Return how a series ended: well if any session did."""
    statuses = [result.status for result in results]
    return next((status for status in statuses if status in TIMED), statuses[0])
