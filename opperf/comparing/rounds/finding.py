"""What one session finds of one job in several arms."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.comparing.pairs.process import Failed
from opperf.core.results.record import now
from opperf.core.statistics.plausible import NO_TIME, is_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.comparing.pairs.blocks import Pairs
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import Plan
    from opperf.core.results.pair import PairMetric


@dataclass(kw_only=True)
class RoundFinding:
    """What a session finds of one job, as it comes: how each arm ended, and pairs or values.

    `jobs` are the arms' own forms of the job, the reference's first; `apart` is how far the outputs
    of an arm lie from the reference's.
    """

    jobs: dict[str, Job] = field(default_factory=dict)
    started_at: str = field(default_factory=now)
    endings: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    plan: Plan | None = None
    pairs: Mapping[str, Pairs] = field(default_factory=dict)
    metrics: Mapping[str, PairMetric] = field(default_factory=dict)
    apart: dict[str, float | None] = field(default_factory=dict)

    def note(self, failure: Failed) -> None:
        """Take down how an arm failed; its first failure counts."""
        self.endings.setdefault(failure.arm, failure.status)
        self.reasons.setdefault(failure.arm, str(failure))

    def take(self, pairs: Mapping[str, Pairs], reference: str, loop_overhead: float) -> None:
        """Keep the pairs of the arms that have got on, and whose medians are times."""
        for name, each in pairs.items():
            for arm, seconds in zip((reference, name), each.seconds(), strict=True):
                if not is_time(seconds, loop_overhead):
                    self.note(Failed(arm, "no_time", NO_TIME))
        self.pairs = {name: each for name, each in pairs.items() if self.works(reference, name)}

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Take down how an arm fails meanwhile."""
        try:
            yield
        except Failed as failure:
            self.note(failure)

    def status(self, name: str) -> str:
        """Return how an arm ended."""
        return self.endings.get(name, "ok")

    def works(self, *names: str) -> bool:
        """Return whether all of these arms have got on so far."""
        return not any(name in self.endings for name in names)

    def reason(self, *names: str) -> str | None:
        """Return what is said of these arms."""
        return "; ".join(self.reasons[name] for name in names if name in self.reasons) or None
