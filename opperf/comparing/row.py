"""The row of a comparison: what is said of one operator, as tables, JSON and reports have it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.comparing.signed_rank import ALPHA, FEWEST
from opperf.comparing.verdict import is_narrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.comparing.campaign import Evidence
    from opperf.core.results.pair import Pair
    from opperf.core.results.result import Result

DRAWS = 2000
ONE_SIDED = 0.001
"""Chance below which verdicts that all point one way are the tool's and not the operators'."""


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
    slower = purpose == "comparison" and judgment.verdict == "slower"
    return ComparedRow(
        **subject_of(first),
        a_seconds=median(seconds[0]) if seconds[0] else None,
        b_seconds=median(seconds[1]) if seconds[1] else None,
        ratio=judgment.ratio,
        interval=judgment.interval,
        reliable=is_narrow(judgment.interval),
        sessions=judgment.sessions,
        disturbed=judgment.disturbed,
        pairs=sum(len(pair.a_blocks) for pair in pairs),
        verdict=judgment.verdict,
        confirmed=evidence.confirmed(key) if slower else None,
        reason=judgment.reason,
        control=purpose == "control",
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

    def counts(self) -> Counter[str]:
        """Return how many operators have which verdict."""
        return Counter(row.verdict for row in self.compared)

    def regressions(self) -> list[ComparedRow]:
        """Return the rows that a build should fail for."""
        return [
            row
            for row in self.compared
            if row.verdict == "newly_fails" or (row.verdict == "slower" and row.confirmed)
        ]

    def false_calls(self) -> float:
        """Return how many calls of slower or faster are wrong at most on average.

        An interval misses the true value to either side with half of `ALPHA`; a wrong call needs a
        true value that is not beyond the smallest effect, and an interval that is.
        """
        return ALPHA / 2 * len(self.compared)

    def failed_controls(self) -> list[ComparedRow]:
        """Return the controls in which a difference was found where there is none."""
        return [row for row in self.controls if row.verdict in {"slower", "faster"}]

    def one_sided(self) -> bool:
        """Return whether the operators change in one direction more often than coins fall.

        A machine, a build or a fault of ours that falls on one arm looks like that.
        """
        counts = self.counts()
        most, least = sorted((counts["slower"], counts["faster"]), reverse=True)
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
        bounds = float(low), float(high)
    return float(np.exp(logs.mean())), bounds, len(logs)
