"""What the rows of a comparison amount to: counts, means, and when not to believe them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from opperf.comparing.row import PREDICTION
from opperf.comparing.signed_rank import ALPHA, FEWEST
from opperf.comparing.verdict import BETTER, WORSE
from opperf.core.results.identity import WHOLE_NETWORKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.comparing.row import ComparedRow

DRAWS = 2000
ONE_SIDED = 0.001
"""Chance below which verdicts that all point one way are the tool's and not the operators'."""


@dataclass(frozen=True)
class Total:
    """What all rows of a comparison amount to."""

    rows: Sequence[ComparedRow]

    @property
    def compared(self) -> list[ComparedRow]:
        """The rows of B against A."""
        return [row for row in self.rows if not row.control and row.kind != PREDICTION]

    @property
    def predictions(self) -> list[ComparedRow]:
        """The rows of what a network's calls predict."""
        return [row for row in self.rows if row.kind == PREDICTION]

    @property
    def parts(self) -> list[ComparedRow]:
        """The rows of B against A that are no sums of others."""
        return [row for row in self.compared if row.kind not in WHOLE_NETWORKS]

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
        return geometric(reliable_ratios(self.parts))

    def left_out(self) -> int:
        """Return how many ratios are not reliable, so that the mean is not over them."""
        ratios = [row for row in self.parts if row.ratio is not None]
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
