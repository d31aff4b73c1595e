"""How often `opperf bisect --step` misjudges a commit for git, where the machine gets noisier.

    python benchmarks/judging_simulated.py --runs 200

GOOD and BAD are compared while sessions differ little, and two commits are judged afterwards, while
they differ more: one before the change and one after it. It is judged by the probability alone, and
as the verb judges. Seeds are fixed: the figures come out the same each time.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from math import log1p
from statistics import fmean
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from bisection_simulated import draw

from opperf.commits.bisection import judging
from opperf.commits.bisection.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT, CHANGE = 8, 4
JUDGED = (2, 6)
NOISES = ("normal", "tails", "outliers")


@dataclass(frozen=True)
class Case:
    """The size of the change, and the standard deviation between sessions, first and later."""

    change: float
    first: float
    later: float


CASES = (
    Case(0.08, 0.014, 0.014),
    Case(0.05, 0.014, 0.014),
    Case(0.08, 0.005, 0.03),
    Case(0.05, 0.005, 0.03),
    Case(0.08, 0.005, 0.06),
)


def judge(case: Case, noise: str, seed: int) -> list[tuple[bool | None, bool, int]]:
    """Return of each commit what was said, whether it is bad, and in how many sessions."""
    random = np.random.default_rng([28, seed])
    search = Search(count=COUNT)
    found = []
    for at in (COUNT, *JUDGED):
        spread = case.first if at == COUNT else case.later
        for probe in iter(partial(judging.next_of, search, at), None):
            low, high = probe.span
            change = log1p(case.change) * (low < CHANGE <= high)
            search.add(probe.span, change + draw(noise, random, spread))
        if not search.differ():
            return []
        if at != COUNT:
            said = judging.verdict_on(search, at)
            found.append((said, at >= CHANGE, len(search.of((0, at)))))
    return found


def figures(case: Case, noise: str, runs: int) -> str:
    """Return the share of wrong verdicts, that of none, and the sessions a verdict took."""
    found = [one for seed in range(runs) for one in judge(case, noise, seed)]
    wrong = fmean(said is not None and said != bad for said, bad, _ in found)
    none = fmean(said is None for said, *_ in found)
    return f"{wrong:7.1%} {none:7.1%} {fmean(taken for *_, taken in found):6.1f}"


def main() -> None:
    """Print a line a case and noise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    runs = parser.parse_args().runs
    always: Callable[..., bool] = lambda *_: True  # noqa: E731 - as the verb was before
    columns = "  wrong    none sessions"
    print(f"{'':32} by the probability alone    by both")
    print(f"{'change':>6} {'spread':>15} {'noise':>9} {columns}{columns}")
    for case in CASES:
        for noise in NOISES:
            both = figures(case, noise, runs)
            with patch.object(judging, "excludes", always):
                alone = figures(case, noise, runs)
            spread = f"{case.first:.1%}, then {case.later:.1%}"
            print(f"{case.change:6.0%} {spread:>15} {noise:>9} {alone}  {both}", flush=True)


if __name__ == "__main__":
    main()
