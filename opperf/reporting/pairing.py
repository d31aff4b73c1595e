"""Frameworks side by side: the results of one run that did the same job, and their ratio."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.results.result import input_key
from opperf.reporting.wording import DIRECTIONS, number, over_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.results.result import Result

BETWEEN_PROCESSES = 0.02
"""Two fresh processes of the very same code differ by 1 to 2 %; see docs/lab/method.md."""

PLACES = {name: place for place, name in enumerate(DIRECTIONS)}
"""The directions' places in a report; any other comes last."""

APART = "apart"
IN_NOISE = "in noise"
NOT_COMPARABLE = "not comparable"
UNRELIABLE = "unreliable"


@dataclass(frozen=True)
class Ratio:
    """The last framework's median over the first's, and whether the two differ significantly."""

    value: float
    judgement: str

    @property
    def is_reliable(self) -> bool:
        """Whether both times may be relied on and mean the same."""
        return self.judgement in {APART, IN_NOISE}


@dataclass(frozen=True, kw_only=True)
class MeanRatio:
    """The geometric mean of so many reliable ratios, None of none, and how many others there are.

    What is left out has an unreliable time, or is not comparable.
    """

    value: float | None
    n: int
    left_out: int

    @property
    def text(self) -> str:
        """Over what it is: "over 31 reliable pairs; 6 left out"."""
        return over_text(self.n, self.left_out)


def geometric_mean(ratios: Iterable[Ratio]) -> MeanRatio:
    """Return the geometric mean of the ratios that are reliable."""
    found = [*ratios]
    return mean_of([ratio.value for ratio in found if ratio.is_reliable], len(found))


def mean_of(values: Sequence[float], count: int) -> MeanRatio:
    """Return the geometric mean of these reliable ratios among so many."""
    mean = statistics.geometric_mean(values) if values else None
    return MeanRatio(value=mean, n=len(values), left_out=count - len(values))


@dataclass(frozen=True, kw_only=True)
class ReportRow:
    """One job in one direction: its results by framework.

    `leads` says that it is the first row of its operator and inputs.
    """

    direction: str
    results: Mapping[str, Result]
    ratio: Ratio | None
    leads: bool

    @property
    def subject(self) -> Result:
        """Any of the results, for what they share."""
        return next(iter(self.results.values()))


def companions(results: Sequence[Result]) -> list[Result]:
    """Return the companions, unless there is nothing else."""
    found = [result for result in results if result.companion]
    return found if len(found) < len(results) else []


def without_companions(results: Sequence[Result]) -> list[Result]:
    """Return the results without companions, unless there is nothing else."""
    found = [result for result in results if not result.companion]
    return found or [*results]


def frameworks(results: Iterable[Result]) -> list[str]:
    """Return the frameworks in the order in which they appear."""
    return list(dict.fromkeys(result.operator.framework for result in results))


def pair(results: Sequence[Result]) -> list[ReportRow]:
    """Return one row a job and direction, jobs in order of appearance.

    Of two results of one framework for the same row the later stands: a resumed run repeats what
    was interrupted.
    """
    jobs: dict[tuple[str, ...], dict[str, dict[str, Result]]] = {}
    for result in results:
        by_direction = jobs.setdefault(job(result), {})
        found = by_direction.setdefault(result.operator.direction, {})
        found[result.operator.framework] = result
    names = frameworks(results)
    return [row for by_direction in jobs.values() for row in job_rows(by_direction, names)]


def job(result: Result) -> tuple[str, ...]:
    """Return what must be equal for two frameworks to have done the same work in one session."""
    names = ("name", "fused", "size", "device", "threads", "cache")
    what = (str(getattr(result.operator, name)) for name in names)
    session = str(result.run_id), str(result.session)
    return (*what, str(result.operator.unusual), input_key(result), *session)


def job_rows(
    by_direction: Mapping[str, Mapping[str, Result]], names: Sequence[str]
) -> list[ReportRow]:
    """Return the rows of one job, in the order of `DIRECTIONS`."""
    ordered = sorted(by_direction, key=lambda name: PLACES.get(name, len(PLACES)))
    return [
        ReportRow(
            direction=direction,
            results=by_direction[direction],
            ratio=first_to_last(by_direction[direction], names),
            leads=direction == ordered[0],
        )
        for direction in ordered
    ]


def results_of_ratios(
    rows: Iterable[ReportRow], names: Sequence[str]
) -> list[tuple[Result, Result]]:
    """Return the two results of each ratio; `names` are the frameworks in the order of `pair`."""
    return [(row.results[names[0]], row.results[names[-1]]) for row in rows if row.ratio]


def first_to_last(results: Mapping[str, Result], names: Sequence[str]) -> Ratio | None:
    """Return the ratio of the last framework to the first, or None without two times."""
    if len(names) > 1 and names[0] in results and names[-1] in results:
        return ratio(results[names[0]], results[names[-1]])
    return None


def ratio(baseline: Result, contender: Result) -> Ratio | None:
    """Return contender over baseline with a judgement, or None where either has no time.

    "in noise" means that the two 95 % intervals of the medians overlap, or that the ratio is within
    2 % of 1. The intervals are those within one process each: they do not cover that another
    process of the same code differs by 1 to 2 %, which is why so small a difference is never called
    one. "not comparable" are two times of different definitions; of an "unreliable" ratio either
    time is not to be relied on.
    """
    if not (baseline.seconds and contender.seconds and baseline.seconds > 0 < contender.seconds):
        return None
    value = contender.seconds / baseline.seconds
    if baseline.definition_key != contender.definition_key:
        return Ratio(value, NOT_COMPARABLE)
    if not (baseline.reliable and contender.reliable):
        return Ratio(value, UNRELIABLE)
    close = abs(value - 1) <= BETWEEN_PROCESSES
    return Ratio(value, IN_NOISE if close or overlap(baseline, contender) else APART)


def overlap(one: Result, other: Result) -> bool:
    """Return whether the intervals overlap; a missing one overlaps with everything."""
    first, second = one.interval, other.interval
    return not first or not second or (first[0] <= second[1] and second[0] <= first[1])


def ratio_range(baseline: Result, contender: Result) -> tuple[float, float] | None:
    """Return how low and how high the ratio may be by the two intervals, None without both.

    Each interval holds its median at 95 %, so that the range holds the ratio at 90 % at least
    (Bonferroni), within these two processes.
    """
    one, two = baseline.interval, contender.interval
    if not one or not two or not all(number(end) and end > 0 for end in (*one, *two)):
        return None
    return two[0] / one[1], two[1] / one[0]
