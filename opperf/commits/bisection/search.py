"""What a bisection measures next, and when it has its answer: all of it follows from the sessions.

First GOOD and BAD are compared alone, by the looks of `opperf ab`: unless they differ, in the
direction that is sought, no commit is blamed. Then each session goes where it tells most: GOOD
against the commit that halves the probability or, once one commit is more likely than all others
together, that commit against the one before it. So the commit that is named was always compared
with its predecessor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from opperf.commits.bisection.posterior import posterior_of
from opperf.commits.bisection.step import Step, step_of
from opperf.comparing.signed_rank import LOOKS, MOST
from opperf.comparing.verdict import BETTER, DECIDED, MIN_EFFECT, WORSE, Judgment, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.commits.bisection.posterior import Posterior, Span
    from opperf.core.tensors.tensor import Array

CONFIDENCE = 0.95
"""The probability at which a commit is named."""
PER_PROBE = 12
"""Sessions at most, on average, for each halving and for both ends."""
NEARLY = 0.85
"""The share of the largest gain of information that suffices where it saves a build."""
VERIFIED = 8
"""The fewest sessions in which a commit was compared with the one before it when it is named."""
DIRECTIONS = {"slower": WORSE, "faster": BETTER, "any": (*WORSE, *BETTER)}


@dataclass(frozen=True, kw_only=True)
class Quest:
    """What is sought: in which direction, how sure, and in how many sessions at most."""

    direction: str = "slower"
    confidence: float = CONFIDENCE
    min_effect: float = MIN_EFFECT
    most: int | None = None

    def most_sessions(self, count: int) -> int:
        """Return how many sessions there may be for so many commits."""
        return self.most or PER_PROBE * (ceil(log2(max(count, 2))) + 2)


@dataclass(frozen=True, kw_only=True)
class Probe:
    """The two commits that the next session compares, and why."""

    span: Span
    why: str


@dataclass(kw_only=True)
class Search:
    """A bisection so far: commits 0 (GOOD) to `count` (BAD), sessions, and commits left out."""

    count: int
    quest: Quest = field(default_factory=Quest)
    contrasts: dict[Span, list[float]] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)

    def add(self, span: Span, ratio: float) -> None:
        """Add a session's log ratio of commit high over commit low."""
        self.contrasts.setdefault(span, []).append(ratio)

    def of(self, span: Span) -> Sequence[float]:
        """Return the log ratios of a contrast."""
        return self.contrasts.get(span, ())

    @property
    def whole(self) -> Span:
        """The contrast of BAD over GOOD."""
        return 0, self.count

    @property
    def sessions(self) -> int:
        """How many there were."""
        return sum(map(len, self.contrasts.values()))

    @property
    def is_spent(self) -> bool:
        """Whether there may be no further session."""
        return self.sessions >= self.quest.most_sessions(self.count)

    def ends(self) -> Judgment | None:
        """Return the verdict on BAD against GOOD at the look that settled it; None before that."""
        ratios = self.of(self.whole)
        for look in sorted(LOOKS):
            if look > len(ratios):
                return None
            made = judge(ratios[:look], 0, self.quest.min_effect)
            if made.verdict in DECIDED or look == MOST:
                return made
        return None

    def differ(self) -> bool | None:
        """Return whether BAD and GOOD differ in the direction sought; None before it is settled."""
        ends = self.ends()
        if ends is None:
            return None
        if ends.verdict == "different" and ends.ratio:
            found = WORSE if ends.ratio > 1 else BETTER
            return set(found) <= set(DIRECTIONS[self.quest.direction])
        return ends.verdict in DIRECTIONS[self.quest.direction]

    def posterior(self) -> Posterior:
        """Return where the change lies, by all sessions."""
        return posterior_of(self.count, self.contrasts)

    def buildable(self) -> list[int]:
        """Return the commits that are not left out; GOOD and BAD always are."""
        return [at for at in range(self.count + 1) if at not in self.left_out]

    def likeliest(self, posterior: Posterior) -> tuple[Span, float]:
        """Return the commit in which the step is most likely, as (low, high], and how likely.

        One that cannot be built goes with the next one that can.
        """
        commits = self.buildable()
        masses = np.diff(posterior.up_to(commits))
        at = int(np.argmax(masses))
        return (commits[at], commits[at + 1]), float(masses[at])

    def next(self) -> Probe | None:
        """Return what to measure next, None where the answer stands or there may be no more."""
        differ = self.differ()
        if differ is None:
            return Probe(span=self.whole, why="do GOOD and BAD differ at all?")
        if not differ or self.is_spent:
            return None
        posterior = self.posterior()
        if posterior.none >= self.quest.confidence:
            return None
        if posterior.none > 1 / 2:
            return Probe(span=self.whole, why="the difference itself is in doubt")
        unit, mass = self.likeliest(posterior)
        if mass < 1 / 2:
            return self.halve(posterior)
        why = f"the change came here with probability {mass:.2f}"
        return None if self.named(posterior) else Probe(span=unit, why=why)

    def named(self, posterior: Posterior) -> Span | None:
        """Return the commit that is probable enough and was shown to differ from the one before."""
        unit, mass = self.likeliest(posterior)
        if mass * (1 - posterior.none) < self.quest.confidence or len(self.of(unit)) < VERIFIED:
            return None
        return unit if self.step(unit).is_shown else None

    def step(self, span: Span) -> Step:
        """Return how large the change between two commits is."""
        return step_of(self.of(span))

    def halve(self, posterior: Posterior) -> Probe:
        """Return GOOD against the commit on whose either side the step is as likely.

        One that was built before will do where it tells nearly as much.
        """
        commits = self.buildable()[1:-1]
        before = posterior.up_to(commits)
        bits = entropy(before)
        built = np.isin(commits, [at for span in self.contrasts for at in span])
        is_ready = built & (bits >= NEARLY * bits.max())
        at = int(np.argmax(np.where(is_ready, bits, 0.0) if is_ready.any() else bits))
        why = f"the change came by here with probability {before[at]:.2f}"
        return Probe(span=(0, commits[at]), why=why)


def entropy(probabilities: Array) -> Array:
    """Return the bits of a yes or no of each of these probabilities."""
    inside = np.clip(probabilities, 1e-12, 1 - 1e-12)
    found: Array = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return found
