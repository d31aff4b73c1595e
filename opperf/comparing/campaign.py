"""What a comparison has found so far, what is still due, and what may be said in the end.

It knows records only: all of it follows from the pairs that were stored, so that a comparison goes
on where it was interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import log1p
from typing import TYPE_CHECKING

from opperf.comparing.signed_rank import FIRST, LOOKS, MOST, center, looks_up_to
from opperf.comparing.values import is_worse_again, judge_values
from opperf.comparing.verdict import (
    DECIDED,
    MIN_EFFECT,
    RETRIES,
    WORSE,
    Judgment,
    judge,
    judge_statuses,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.results.pair import Pair

CONFIRMING = 6
"""Fresh sessions in which a slower operator must be slower again."""
TIME = "time"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How far a comparison goes.

    Args:
        first: sessions for every operator.
        most: sessions at most for those that are still undecided.
        min_effect: the smallest change of interest, a fraction.
        metric: the name of what is compared.

    """

    first: int = FIRST
    most: int = MOST
    min_effect: float = MIN_EFFECT
    metric: str = TIME


@dataclass
class Evidence:
    """The pairs of a comparison by what they are of."""

    rules: Rules
    pairs: dict[tuple[str, str], list[Pair]] = field(default_factory=lambda: defaultdict(list))

    def add(self, pairs: Iterable[Pair]) -> None:
        """Add records, in the order of their sessions."""
        for pair in pairs:
            self.pairs[pair.purpose, pair.key].append(pair)

    def of(self, key: str, purpose: str = "comparison") -> Sequence[Pair]:
        """Return the records of a job for a purpose."""
        return self.pairs.get((purpose, key), ())

    def wants_comparison(self, key: str) -> bool:
        """Return whether a job needs one more session."""
        found = self.of(key)
        if self.ended(found) is not None:
            return False
        measured = sum(pair.is_measured for pair in found)
        if measured < self.rules.first or measured not in LOOKS:
            return len(found) < self.rules.most
        return len(found) < self.rules.most and self.judgment(key).verdict not in DECIDED

    def wants_control(self, key: str) -> bool:
        """Return whether a control job needs one more session; it gets as many as all others."""
        return len(self.of(key, "control")) < self.rules.first

    def wants_confirmation(self, key: str) -> bool:
        """Return whether a job was found slower and not yet looked at often enough again."""
        found = self.of(key, "confirmation")
        return len(found) < CONFIRMING and self.judgment(key).verdict in WORSE

    def judgment(self, key: str, purpose: str = "comparison") -> Judgment:
        """Return the verdict on a job, as the first look that settled it had it."""
        found = self.of(key, purpose)
        if ended := self.ended(found):
            return Judgment(verdict=ended[0], sessions=len(found), reason=ended[1])
        measured = [pair for pair in found if pair.is_measured]
        for look in looks_up_to(len(measured), self.rules.most):
            made = self.judge_pairs(measured[:look])
            if look >= self.rules.first and made.verdict in DECIDED:
                return made
        return self.judge_pairs(measured)

    def judge_pairs(self, pairs: Sequence[Pair]) -> Judgment:
        """Return the verdict of sessions in which both arms were measured."""
        if self.rules.metric != TIME:
            values = [pair.values for pair in pairs if pair.values]
            return judge_values(values, self.rules.min_effect)
        ratios = [pair.ratio for pair in pairs if pair.ratio is not None]
        disturbed = sum(pair.disturbed for pair in pairs)
        return judge(ratios, disturbed, self.rules.min_effect)

    def confirmed(self, key: str) -> bool | None:
        """Return whether a slower job was slower again; None where nobody looked long enough."""
        found = self.of(key, "confirmation")
        if self.rules.metric != TIME:
            values = [pair.values for pair in found if pair.values]
            enough = len(values) >= CONFIRMING
            return is_worse_again(values, self.rules.min_effect) if enough else None
        ratios = [pair.ratio for pair in found if pair.ratio is not None]
        if len(ratios) < CONFIRMING:
            return None
        return center(ratios) > log1p(self.rules.min_effect)

    def ended(self, pairs: Sequence[Pair]) -> tuple[str, str] | None:
        """Return verdict and reason of a job that an arm failed at, None where values decide."""
        absences = [pair.absence for pair in pairs if pair.absence]
        if len(absences) >= min(RETRIES, self.rules.most):
            return "no_value", absences[-1]
        untried = [pair for pair in pairs if pair.may_be_untried and pair.untried]
        if untried:
            return str(untried[-1].untried), untried[-1].reason or "in one arm"
        a, b = [pair.a_status for pair in pairs], [pair.b_status for pair in pairs]
        ended = judge_statuses(a, b, self.rules.most)
        if ended is None:
            return None
        said = next((pair.reason for pair in reversed(pairs) if pair.reason), None)
        return ended[0], said or ended[1]
