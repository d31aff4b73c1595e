"""Repeatability: how far two measurements of one thing differ, inside a process and between two.

Everything is said of the ratio of two medians of the same code (A against A), as its standard
deviation: of logarithms, so that 2 % up and 2 % down weigh the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

NORMAL = 1.96
"""Standard deviations that hold 95 % of a normal distribution."""
PAIRS = 12
STUDENT_11 = 2.201
"""The same of Student's t with 11 degrees of freedom: what 12 pairs leave."""


@dataclass(frozen=True, kw_only=True)
class Repeatability:
    """What measuring one operator again and again showed.

    `seconds` is the median; `inside` and `between` are the standard deviation of the ratio of two
    measurements inside one process and in two fresh ones, as fractions.
    """

    subject: str
    framework: str
    seconds: float
    inside: float
    between: float
    processes: int

    @property
    def two_runs(self) -> float:
        """The least difference, as a fraction, that one run against another can show."""
        return NORMAL * self.between

    @property
    def twelve_pairs(self) -> float:
        """The same of twelve pairs of fresh processes."""
        return STUDENT_11 / sqrt(PAIRS) * self.between


def compare_repeats(
    subject: str, framework: str, medians: Sequence[Sequence[float]]
) -> Repeatability | None:
    """Return what the medians show: a row a process, equally many in each.

    None where there are fewer than two processes with two medians each: nothing can differ then.
    """
    if len(medians) < 2 or len(medians[0]) < 2:  # noqa: PLR2004 - see above
        return None
    logs = np.log(np.asarray(medians, dtype=float))
    inside = float(np.mean(np.var(logs, axis=1, ddof=1)))
    between = float(np.mean(np.var(logs, axis=0, ddof=1)))
    return Repeatability(
        subject=subject,
        framework=framework,
        seconds=float(np.median(np.exp(logs))),
        inside=sqrt(2 * inside),
        between=sqrt(2 * between),
        processes=len(medians),
    )
