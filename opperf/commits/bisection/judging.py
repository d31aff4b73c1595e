"""The verdict on one commit alone, for a bisection that somebody else leads: is it good or bad?

It takes both: the probability by a model of one spread for all sessions, and the commit's own
sessions, which have to exclude the other end by the spread that they show themselves. Where the
machine got noisier after GOOD and BAD were compared, the probability alone was wrong in up to 16 of
100 simulated verdicts, and both together in 1.5 at most (`benchmarks/judging_simulated.py`).
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from opperf.commits.bisection.search import Probe, Search
from opperf.comparing.signed_rank import MOST, center
from opperf.core.statistics.student import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.commits.bisection.posterior import Span

SURE = 0.99
"""The probability at which a commit is called good or bad."""
FEWEST = 2
"""Sessions that have a spread."""


def by_then(search: Search, at: int) -> float:
    """Return the probability that the change had come by a commit, both as likely beforehand.

    Only its own sessions count, and those of GOOD and BAD: others are the other's affair.
    """
    own: Span = (0, at)
    contrasts = {span: search.contrasts[span] for span in (search.whole, own)
                 if span in search.contrasts}  # fmt: skip
    alone = Search(count=search.count, quest=replace(search.quest), contrasts=contrasts)
    before, share = float(alone.posterior().up_to([at])[0]), at / search.count
    bad, good = before * (1 - share), (1 - before) * share
    return bad / (bad + good)


def next_of(search: Search, at: int) -> Probe | None:
    """Return the session that is due before there is a verdict on a commit, None if none is."""
    differ = search.differ()
    if differ is None:
        return Probe(span=search.whole, why="do GOOD and BAD differ at all?")
    if not differ or at in search.left_out or len(search.of((0, at))) >= MOST:
        return None
    if at in (0, search.count) or verdict_on(search, at) is not None:
        return None
    return Probe(span=(0, at), why=f"it is bad with probability {by_then(search, at):.2f}")


def verdict_on(search: Search, at: int) -> bool | None:
    """Return whether a commit is bad, None where that is not sure."""
    if at in (0, search.count):
        return at == search.count
    own = search.of((0, at))
    if len(own) < FEWEST:
        return None
    bad = by_then(search, at)
    other_end = 0.0 if bad > 1 / 2 else center(search.of(search.whole))
    if max(bad, 1 - bad) < SURE or not excludes(own, other_end):
        return None
    return bad > 1 / 2


def excludes(ratios: Sequence[float], ratio: float) -> bool:
    """Return whether the sessions' own mean and spread exclude a log ratio, by Student's t."""
    reach = quantile(1 - SURE, len(ratios) - 1) * stdev(ratios) / sqrt(len(ratios))
    return abs(fmean(ratios) - ratio) > reach
