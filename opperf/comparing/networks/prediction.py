"""What the calls of a network in two arms predict of its step, and whether the step agrees.

The unit is the session, as it is for one operator: calls of a session share its processes, their
layout of memory and their neighbors, so that their errors are not independent. Each session in
which all calls were measured therefore makes one figure, of times weighted by counts, and the
interval is that of the figures over sessions.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import exp, log, log1p
from statistics import median
from typing import TYPE_CHECKING

from opperf.comparing.signed_rank import center, interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.comparing.campaign import Evidence
    from opperf.core.results.pair import Pair


@dataclass(frozen=True)
class Shift:
    """The logarithm of a ratio of B over A in each session."""

    sessions: Sequence[float]

    @property
    def middle(self) -> float:
        """The estimate, as a logarithm; of no session none."""
        return center(self.sessions) if self.sessions else 0.0

    @property
    def ratio(self) -> float | None:
        """The estimate, None without a session."""
        return exp(self.middle) if self.sessions else None

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the interval, as logarithms."""
        return interval(self.sessions)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the ratio, None below six sessions."""
        ends = self.ends
        return ends and (exp(ends[0]), exp(ends[1]))


@dataclass(frozen=True)
class Summed:
    """The seconds of all calls of a step in one session, each as often as the step makes it."""

    a: float
    b: float


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What calls predict: sums by session, and the whole step of arm A and B where it is measured.

    `steps` are the seconds of arm A's step and the logarithm of the ratio, by session; `measured`
    the keys of the calls that the sums are of.
    """

    sums: Mapping[int, Summed]
    steps: Mapping[int, tuple[float, float]]
    measured: frozenset[str]

    @property
    def seconds(self) -> tuple[float, float] | None:
        """The median sums of A and B."""
        if not self.sums:
            return None
        return median(each.a for each in self.sums.values()), median(
            each.b for each in self.sums.values()
        )

    @property
    def step_seconds(self) -> float:
        """The median seconds of arm A's step."""
        return median(seconds for seconds, _ in self.steps.values())

    @property
    def sum(self) -> Shift:
        """How the sum of the operators changes."""
        return Shift([log(each.b / each.a) for each in self.sums.values()])

    @property
    def predicted(self) -> Mapping[int, float]:
        """How the step is predicted to change: what the calls gain or lose, over A's step.

        What a step takes beside its calls is taken to stay. Where calls would lose more than the
        whole step takes in a session, that predicts nothing.
        """
        found = {}
        for number, each in self.sums.items():
            if number in self.steps:
                share = (each.b - each.a) / self.steps[number][0]
                if share > -1:
                    found[number] = log1p(share)
        return found

    @property
    def step(self) -> Shift:
        """How the step is predicted to change."""
        return Shift([*self.predicted.values()])

    @property
    def gap(self) -> Shift:
        """How the measured change of the step differs from the predicted one, in same sessions."""
        predicted = self.predicted
        return Shift([self.steps[number][1] - shift for number, shift in predicted.items()])

    def agrees(self, min_effect: float) -> bool | None:
        """Return whether the measured change is the predicted one, as far as can be told.

        It is not where the whole interval of their ratio lies beyond the smallest effect. None
        where there is no interval.
        """
        ends = self.gap.ends
        if ends is None:
            return None
        delta = log1p(min_effect)
        return not (ends[0] > delta or ends[1] < -delta)


def predict(evidence: Evidence, counts: Mapping[str, int], step: str | None) -> Prediction:
    """Return what the calls of these keys predict.

    Args:
        evidence: the pairs of all sessions.
        counts: how often a step makes each call, by its job's key.
        step: the key of the step's own job, None where it is not measured.

    """
    found = {key: by_session(evidence.of(key)) for key in counts}
    working = {
        key: pairs for key, pairs in found.items() if pairs and not evidence.ended(evidence.of(key))
    }
    # A call that failed in most sessions would leave too few of all calls.
    needed = min(evidence.rules.first, max(map(len, working.values()), default=0))
    measured = {key: pairs for key, pairs in working.items() if len(pairs) >= needed}
    steps = by_session(evidence.of(step)) if step else {}
    return Prediction(
        sums=sums_of(measured, counts),
        steps={
            number: (pair.a_seconds or 0.0, pair.ratio or 0.0) for number, pair in steps.items()
        },
        measured=frozenset(measured),
    )


def by_session(pairs: Iterable[Pair]) -> dict[int, Pair]:
    """Return the pairs that both arms were measured in."""
    return {pair.session: pair for pair in pairs if pair.ratio is not None}


def sums_of(
    pairs_of: Mapping[str, Mapping[int, Pair]], counts: Mapping[str, int]
) -> dict[int, Summed]:
    """Return the sums of the sessions in which all of the calls were measured.

    The seconds of B are those of A by the ratio, whose blocks lie side by side.
    """
    sessions: dict[int, list[tuple[int, Pair]]] = defaultdict(list)
    for key, pairs in pairs_of.items():
        for number, pair in pairs.items():
            sessions[number].append((counts[key], pair))
    return {
        number: Summed(
            sum(count * (pair.a_seconds or 0.0) for count, pair in found),
            sum(count * (pair.a_seconds or 0.0) * exp(pair.ratio or 0.0) for count, pair in found),
        )
        for number, found in sorted(sessions.items())
        if len(found) == len(pairs_of)
    }
