"""A comparison as it goes: session after session until every verdict stands or time is up."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.comparing.pairs.job import controls_of
from opperf.comparing.pairs.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.campaign import Evidence
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.side import Plan
    from opperf.core.results.pair import Pair
    from opperf.measuring.worker.handle import Limits


@dataclass(kw_only=True)
class ArmComparison:
    """What is compared, and what has come of it.

    Args:
        run_id: the run that the records belong to.
        jobs: what is measured in both arms.
        arms: the arms "a" and "b".
        limits: each child's time and memory.
        folder: room for tensors; they are drawn once.
        evidence: what earlier sessions have found; added to.
        budget: seconds after which no further session is begun, None for as many as it takes.

    """

    run_id: str
    jobs: Sequence[Job]
    arms: Mapping[str, ArmSpec]
    limits: Limits
    folder: Path
    evidence: Evidence
    budget: float | None = None
    environments: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    out_of_time: bool = False

    def sessions(self) -> Iterator[tuple[Session, list[Job]]]:
        """Yield each session with the jobs that are due in it, for as long as there are any.

        Whoever takes one adds what it finds to the evidence before asking for the next.
        """
        began, longest = time.monotonic(), 0.0
        plans = self.known_plans()
        while due := self.due():
            started = time.monotonic()
            if self.budget is not None and started + longest - began > self.budget:
                self.out_of_time = True
                return
            purpose, jobs = due
            yield self.session(purpose, plans), jobs
            longest = max(longest, time.monotonic() - started)

    def due(self) -> tuple[str, list[Job]] | None:
        """Return what the next session is for and its jobs, None where all is said.

        Controls keep pace with the rest, so that a machine that lies is found out early.
        """
        evidence = self.evidence
        wanted = {
            "control": [
                job
                for job in controls_of(self.jobs)
                if evidence.wants_control(job.key)
                and len(evidence.of(job.key, "control")) < len(evidence.of(job.key))
            ],
            "comparison": [job for job in self.jobs if evidence.wants_comparison(job.key)],
            "confirmation": [job for job in self.jobs if evidence.wants_confirmation(job.key)],
        }
        return next(((purpose, jobs) for purpose, jobs in wanted.items() if jobs), None)

    def session(self, purpose: str, plans: dict[str, Plan]) -> Session:
        """Return the next session."""
        arms = dict(self.arms)
        if purpose == "control":
            arms["b"] = arms["a"]
        return Session(
            number=1 + max((pair.session for pair in self.records()), default=0),
            purpose=purpose,
            run_id=self.run_id,
            arms=arms,
            limits=self.limits,
            folder=self.folder,
            plans=plans,
            environments={} if purpose == "control" else self.environments,
        )

    def known_plans(self) -> dict[str, Plan]:
        """Return how the blocks of each job were taken in earlier sessions."""
        return {pair.key: dict(pair.plan) for pair in self.records() if pair.plan}

    def records(self) -> Iterator[Pair]:
        """Yield all records so far."""
        for pairs in self.evidence.pairs.values():
            yield from pairs
