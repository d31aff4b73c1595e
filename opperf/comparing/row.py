"""The row of a comparison: what is said of one operator, as tables, JSON and reports have it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.comparing.campaign import TIME
from opperf.comparing.signed_rank import ALPHA, FEWEST
from opperf.comparing.verdict import BETTER, WORSE, is_narrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.comparing.campaign import Evidence
    from opperf.comparing.verdict import Judgment
    from opperf.core.results.pair import Pair
    from opperf.core.results.result import Result

DRAWS = 2000
ONE_SIDED = 0.001
"""Chance below which verdicts that all point one way are the tool's and not the operators'."""


@dataclass(frozen=True, kw_only=True)
class ComparedMetric:
    """What a row says of another metric than the time: medians over sessions, in its unit.

    `difference` is that of B less A, with its interval as `bounds` where it was judged
    `by_difference`, since there is no ratio. `exact`: all sessions said the same, and so there is
    no interval.
    """

    metric: str
    unit: str
    a: float | None
    b: float | None
    difference: float | None
    bounds: tuple[float, float] | None
    by_difference: bool
    exact: bool


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """One operator, B against A: seconds per call, the ratio of B over A, and what it says.

    `control` rows are A against A: nothing may be found there. `confirmed` is None where a verdict
    needs no confirmation or nobody has looked. `disturbed` counts sessions beside a busy neighbor.
    Means are over rows whose ratio is `reliable`.
    """

    operator: str
    framework: str
    direction: str
    size: str | None
    fused: bool | None
    inputs: Mapping[str, Any]
    a_seconds: float | None
    b_seconds: float | None
    ratio: float | None
    interval: tuple[float, float] | None
    reliable: bool
    sessions: int
    disturbed: int
    pairs: int
    verdict: str
    confirmed: bool | None
    reason: str | None
    control: bool
    values: ComparedMetric | None = None


def rows_of(evidence: Evidence) -> list[ComparedRow]:
    """Return a row for each job, and one for each control."""
    keys = [key for key in evidence.pairs if key[0] in {"comparison", "control"}]
    return [row_of(evidence, key, purpose) for purpose, key in keys]


def row_of(evidence: Evidence, key: str, purpose: str) -> ComparedRow:
    """Return the row of a job or of a control."""
    pairs = evidence.of(key, purpose)
    judgment = evidence.judgment(key, purpose)
    first = pairs[0]
    seconds = [
        [getattr(pair, name) for pair in pairs if getattr(pair, name) is not None]
        for name in ("a_seconds", "b_seconds")
    ]
    worse = purpose == "comparison" and judgment.verdict in WORSE
    values = metric_of(evidence.rules.metric, pairs, judgment)
    return ComparedRow(
        **subject_of(first),
        a_seconds=median(seconds[0]) if seconds[0] else None,
        b_seconds=median(seconds[1]) if seconds[1] else None,
        ratio=judgment.ratio,
        interval=judgment.interval,
        reliable=is_narrow(judgment.interval) or (judgment.exact and judgment.ratio is not None),
        sessions=judgment.sessions,
        disturbed=judgment.disturbed,
        pairs=sum(len(pair.values.a if pair.values else pair.a_blocks) for pair in pairs),
        verdict=judgment.verdict,
        confirmed=evidence.confirmed(key) if worse else None,
        reason=judgment.reason,
        control=purpose == "control",
        values=values,
    )


def metric_of(name: str, pairs: Sequence[Pair], judgment: Judgment) -> ComparedMetric | None:
    """Return what a row says of another metric than the time, None of the time."""
    if name == TIME:
        return None
    found = [pair.values for pair in pairs if pair.values]
    medians = [each.medians for each in found]
    a, b = (median(side) for side in zip(*medians, strict=True)) if medians else (None, None)
    return ComparedMetric(
        metric=name,
        unit=found[0].unit if found else "",
        a=a,
        b=b,
        difference=judgment.difference,
        bounds=judgment.bounds,
        by_difference=judgment.by_difference,
        exact=judgment.exact,
    )


def subject_of(record: Pair | Result) -> dict[str, Any]:
    """Return the fields of a row that say what it is of."""
    named = ("framework", "direction", "size", "fused")
    shapes = {item.name: item.shape for item in record.inputs}
    return {
        "operator": record.operator.name,
        **{name: getattr(record.operator, name) for name in named},
        "inputs": {**shapes, **record.attributes},
    }


@dataclass(frozen=True)
class Total:
    """What all rows of a comparison amount to."""

    rows: Sequence[ComparedRow]

    @property
    def compared(self) -> list[ComparedRow]:
        """The rows of B against A."""
        return [row for row in self.rows if not row.control]

    @property
    def controls(self) -> list[ComparedRow]:
        """The rows of A against A."""
        return [row for row in self.rows if row.control]

    @property
    def varying(self) -> list[ComparedRow]:
        """Those whose values vary from session to session, so that chance has a part in them."""
        return [row for row in self.compared if row.values is None or not row.values.exact]

    @property
    def metric(self) -> str | None:
        """The name of what is compared where it is another metric than the time."""
        return next((row.values.metric for row in self.rows if row.values), None)

    def counts(self) -> Counter[str]:
        """Return how many operators have which verdict."""
        return Counter(row.verdict for row in self.compared)

    def regressions(self) -> list[ComparedRow]:
        """Return the rows that a build should fail for."""
        return [
            row
            for row in self.compared
            if row.verdict == "newly_fails" or (row.verdict in WORSE and row.confirmed)
        ]

    def false_calls(self) -> float:
        """Return how many calls of slower or faster are wrong at most on average.

        An interval misses the true value to either side with half of `ALPHA`; a wrong call needs a
        true value that is not beyond the smallest effect, and an interval that is.
        """
        return ALPHA / 2 * len(self.varying)

    def failed_controls(self) -> list[ComparedRow]:
        """Return the controls in which a difference was found where there is none."""
        return [row for row in self.controls if row.verdict in {*WORSE, *BETTER}]

    def one_sided(self) -> bool:
        """Return whether the operators change in one direction more often than coins fall.

        A machine, a build or a fault of ours that falls on one arm looks like that.
        """
        counts = Counter(row.verdict for row in self.varying)
        sides = (sum(counts[each] for each in side) for side in (WORSE, BETTER))
        most, least = sorted(sides, reverse=True)
        together = most + least
        tail = sum(comb(together, hits) for hits in range(most, together + 1))
        return bool(2 * tail / 2**together < ONE_SIDED)

    def mean(self) -> tuple[float, tuple[float, float] | None, int] | None:
        """Return the geometric mean of the reliable ratios, its interval and how many there are."""
        return geometric(reliable_ratios(self.compared))

    def left_out(self) -> int:
        """Return how many ratios are not reliable, so that the mean is not over them."""
        ratios = [row for row in self.compared if row.ratio is not None]
        return len(ratios) - len(reliable_ratios(ratios))

    def control_mean(self) -> tuple[float, tuple[float, float] | None, int] | None:
        """Return the same of the controls."""
        return geometric(reliable_ratios(self.controls))


def reliable_ratios(rows: Sequence[ComparedRow]) -> list[float]:
    """Return the ratios that are reliable."""
    return [row.ratio for row in rows if row.reliable and row.ratio is not None]


def geometric(ratios: Sequence[float]) -> tuple[float, tuple[float, float] | None, int] | None:
    """Return the geometric mean of ratios, its interval of 95 %, and how many they are.

    The interval is that of Efron's bootstrap (1979), by percentiles; below six there is none.
    """
    if not ratios:
        return None
    logs = np.log(ratios)
    bounds = None
    if len(logs) >= FEWEST:
        draws = np.random.default_rng(0).choice(logs, (DRAWS, len(logs))).mean(axis=1)
        low, high = np.exp(np.percentile(draws, (2.5, 97.5)))
        if low < high:  # that of ratios that are all the same would have no width
            bounds = float(low), float(high)
    return float(np.exp(logs.mean())), bounds, len(logs)
