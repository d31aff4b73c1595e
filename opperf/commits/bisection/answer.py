"""What a bisection may say in the end, and how probable it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from opperf.commits.bisection.posterior import Posterior, Span
    from opperf.commits.bisection.search import Search
    from opperf.commits.bisection.step import Step

NAMED, RANGE, SAME, UNDECIDED = "named", "range", "same", "undecided"


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """What is said.

    Args:
        kind: "named", where one commit is, or a range of which only the last can be built;
            "range", where sessions or time ran out; "same", where GOOD and BAD do not differ as is
            sought; "undecided", where that could not be settled.
        whole: the change between GOOD and BAD.
        span: (low, high]: the change came with one of low + 1 to high.
        probability: of that.
        step: the change over the span, as its own sessions have it.
        several: the probability that no single step explains the sessions.
        reason: why there is no more to say.
    """

    kind: str
    whole: Step
    span: Span | None = None
    probability: float | None = None
    step: Step | None = None
    several: float = 0.0
    reason: str | None = None

    @property
    def is_rest(self) -> bool:
        """Whether the whole change differs significantly from the step that is named."""
        if not (self.step and self.step.interval and self.whole.interval):
            return False
        low, high = self.step.interval
        return self.whole.interval[0] > high or self.whole.interval[1] < low


def answer_of(search: Search, *, out_of_time: bool = False) -> Conclusion:
    """Return what the sessions so far allow to say."""
    whole, differ = search.step(search.whole), search.differ()
    if differ is None:
        reason = "the time is up before it is settled whether GOOD and BAD differ"
        return Conclusion(kind=UNDECIDED, whole=whole, reason=reason)
    if not differ:
        ends = search.ends()
        settled = ends is not None and ends.verdict in ("equivalent", "slower", "faster")
        kind = SAME if settled else UNDECIDED
        return Conclusion(kind=kind, whole=whole, reason=ends.reason if ends else None)
    posterior = search.posterior()
    if posterior.none >= search.quest.confidence:
        reason = "further sessions have taken back what the first ones showed"
        return Conclusion(kind=SAME, whole=whole, probability=posterior.none, reason=reason)
    if span := search.named(posterior):
        return Conclusion(
            kind=NAMED, whole=whole, span=span, step=search.step(span),
            probability=search.likeliest(posterior)[1] * (1 - posterior.none),
            several=posterior.several,
        )  # fmt: skip
    span, mass = likely_range(search, posterior)
    reason = "the time is up" if out_of_time else f"{search.sessions} sessions are all there may be"
    return Conclusion(
        kind=RANGE, whole=whole, span=span, probability=mass * (1 - posterior.none), reason=reason,
        step=search.step(span), several=posterior.several,
    )  # fmt: skip


def likely_range(search: Search, posterior: Posterior) -> tuple[Span, float]:
    """Return the shortest range that holds the step with the probability that is sought."""
    commits = search.buildable()
    before = posterior.up_to(commits)
    needed = search.quest.confidence
    best: tuple[int, Span, float] | None = None
    for low, at in zip(commits, before, strict=True):
        end = int(np.searchsorted(before, at + needed))
        if end < len(commits):
            span, mass = (low, commits[end]), float(before[end] - at)
            if best is None or span[1] - span[0] < best[0]:
                best = (span[1] - span[0], span, mass)
    return best[1:] if best else (search.whole, 1.0)
