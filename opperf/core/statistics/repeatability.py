"""Repeatability: how far two measurements of one thing differ, and what change can be told.

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
NEEDED = {6: 2.11, 12: 1.22, 24: 0.86}
"""By the sessions that `opperf ab` may take, how many standard deviations between sessions a change
must have to be shown in nine of ten comparisons: simulated, normal, with all its looks."""
FEWEST = 2


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One session of two processes that alternate.

    `halves` are the medians of both halves of the first one's blocks, `ratio` the logarithm of the
    second one's over the first one's.
    """

    halves: tuple[float, float]
    ratio: float


@dataclass(frozen=True, kw_only=True)
class Repeatability:
    """What measuring one operator again and again showed.

    `seconds` is the median. The rest are standard deviations of the ratio of two measurements, as
    fractions: `inside` one process; `between` two fresh ones that alternate; `apart`, one after
    the other.
    """

    subject: str
    framework: str
    seconds: float
    inside: float
    between: float
    apart: float
    sessions: int

    @property
    def two_runs(self) -> float:
        """The least difference, as a fraction, that one run against another can show."""
        return NORMAL * self.apart

    def smallest(self, sessions: int) -> float:
        """Return the least change, as a fraction, that `opperf ab` shows in so many sessions."""
        return NEEDED[sessions] * self.between


def compare_sessions(
    subject: str, framework: str, sessions: Sequence[Seen]
) -> Repeatability | None:
    """Return what the sessions show; None where there are fewer than two: nothing differs then."""
    if len(sessions) < FEWEST:
        return None
    halves = np.log([seen.halves for seen in sessions])
    processes = halves.mean(axis=1)
    return Repeatability(
        subject=subject,
        framework=framework,
        seconds=float(np.exp(np.median(halves))),
        inside=float(np.sqrt(np.mean(np.square(halves[:, 1] - halves[:, 0])))),
        between=float(np.std([seen.ratio for seen in sessions], ddof=1)),
        apart=sqrt(2) * float(np.std(processes, ddof=1)),
        sessions=len(sessions),
    )
