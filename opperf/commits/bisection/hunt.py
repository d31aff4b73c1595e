"""Carrying a bisection out: build, measure, keep, say why, until the answer stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from time import monotonic
from typing import TYPE_CHECKING

from opperf.commits.bisection.environments import UnbuildableError
from opperf.commits.bisection.search import Quest, Search
from opperf.commits.bisection.state import FAILED, LEFT_OUT, SESSION, BisectionStep
from opperf.core.errors import UsageError
from opperf.core.results.record import now

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.commits.bisection.environments import Environments
    from opperf.commits.bisection.measurement import SessionRatios
    from opperf.commits.bisection.posterior import Span
    from opperf.commits.bisection.search import Probe
    from opperf.commits.bisection.state import Candidate, State

    Measure = Callable[[int, tuple[str, str]], SessionRatios]

TRIES = 2
"""How often a candidate must fail to be left out: once may be the machine's fault."""


@dataclass
class Hunt:
    """A bisection that is under way.

    Args:
        state: what was asked for and found so far.
        environments: what gives a candidate's interpreter.
        measure: carries out one session.
        tell: is told each step.
        seconds: begin no session after so long, None for no such limit.
        most: the most sessions, None for as many as were asked for when it began.
    """

    state: State
    environments: Environments
    measure: Measure
    tell: Callable[[str], None]
    seconds: float | None = None
    most: int | None = None
    began: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        """Take up what the steps so far amount to."""
        self.search = search_of(self.state, self.most)

    @property
    def candidates(self) -> Sequence[Candidate]:
        """The commits or versions in order, GOOD first."""
        return self.state.request.candidates

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.seconds is not None and monotonic() - self.began > self.seconds

    def run(self, due: Callable[[], Probe | None]) -> bool:
        """Go on until nothing is due; return whether it was the time that ended it."""
        while probe := due():
            if self.is_over:
                return True
            self.take(probe)
        return False

    def take(self, probe: Probe) -> None:
        """Measure one session and keep it, or leave a candidate out that cannot be."""
        low, high = probe.span
        pythons = self.python_of(low), self.python_of(high)
        if pythons[0] is None or pythons[1] is None:
            return
        began = now()
        outcome = self.measure(len(self.state.entries) + 1, (pythons[0], pythons[1]))
        if outcome.failures or outcome.ratio is None:
            self.fail(probe.span, outcome)
            return
        entry = BisectionStep(
            event=SESSION, low=low, high=high, why=probe.why, ratio=outcome.ratio,
            rows=outcome.rows, plans=outcome.plans, started_at=began,
        )  # fmt: skip
        self.state.append(entry)
        self.search.add(probe.span, outcome.ratio)
        names = f"{self.name(high)} against {self.name(low)}"
        self.tell(f"session {self.search.sessions}, {names}: {percent(outcome.ratio)}; {probe.why}")

    def python_of(self, at: int) -> str | None:
        """Return a candidate's interpreter; leave it out where it has none."""
        try:
            return self.environments.python_of(self.candidates[at])
        except UnbuildableError as error:
            self.leave_out(at, str(error))
            return None

    def fail(self, span: Span, outcome: SessionRatios) -> None:
        """Keep that a session failed; leave out what has failed too often."""
        failed = [at for at, arm in zip(span, ("low", "high"), strict=True)
                  if arm in outcome.failures]  # fmt: skip
        why = "; ".join(outcome.failures.values()) or "no row has a time"
        for at in failed or [span[1]]:
            self.tell(f"{self.name(at)} failed: {why}")
            self.state.append(BisectionStep(event=FAILED, low=at, high=at, why=why))
            tried = sum(entry.event == FAILED and entry.high == at for entry in self.state.entries)
            if tried >= TRIES:
                self.leave_out(at, why)

    def leave_out(self, at: int, why: str) -> None:
        """Leave a candidate out.

        Raises:
            UsageError: it is GOOD or BAD, without which there is nothing to compare.
        """
        ends = {0: "GOOD", self.search.count: "BAD"}
        if at in ends:
            raise UsageError(f"{ends[at]}, {self.candidates[at]}, cannot be measured: {why}")
        self.state.append(BisectionStep(event=LEFT_OUT, low=at, high=at, why=why))
        self.search.left_out.add(at)
        self.tell(f"left out {self.candidates[at]}: {why}")

    def name(self, at: int) -> str:
        """Return how a line names a candidate: with its place."""
        ends = {0: "GOOD", len(self.candidates) - 1: "BAD"}
        short = self.candidates[at].name[:12]
        return f"{ends[at]} {short}" if at in ends else f"{short} ({at})"


def search_of(state: State, most: int | None) -> Search:
    """Return what the steps of a bisection amount to."""
    quest = Quest(**state.request.quest)
    search = Search(
        count=len(state.request.candidates) - 1, quest=replace(quest, most=most or quest.most)
    )
    for entry in state.entries:
        if entry.event == SESSION and entry.ratio is not None:
            search.add((entry.low, entry.high), entry.ratio)
        elif entry.event == LEFT_OUT:
            search.left_out.add(entry.high)
    return search


def percent(ratio: float) -> str:
    """Return a log ratio as a change, such as "+5.1 %"."""
    return f"{100 * (exp(ratio) - 1):+.1f} %"
