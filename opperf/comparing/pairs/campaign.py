"""What is due in a comparison: its next session and the time that is left for it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.job import controls_of
from opperf.comparing.pairs.metric_session import MetricSession
from opperf.comparing.pairs.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.campaign import Evidence
    from opperf.comparing.pairs.job import Job
    from opperf.core.results.pair import Pair
    from opperf.measuring.worker.handle import Limits


@dataclass
class Budget:
    """The seconds for all sessions, None for as many as it takes."""

    seconds: float | None
    began: float = field(default_factory=monotonic)
    longest: float = 0.0

    @property
    def is_spent(self) -> bool:
        """Whether one more session, as long as the longest so far, would end too late."""
        return self.seconds is not None and monotonic() + self.longest - self.began > self.seconds

    @contextmanager
    def session(self) -> Iterator[None]:
        """Time a session."""
        started = monotonic()
        yield
        self.longest = max(self.longest, monotonic() - started)


@dataclass(frozen=True, kw_only=True)
class ArmComparison:
    """What is compared, and what has been found of it.

    Args:
        run_id: the run that the records belong to.
        jobs: what is measured in both arms.
        arms: the arms "a" and "b".
        limits: each child's time and memory.
        folder: room for tensors; they are drawn once.
        evidence: the records of all sessions so far.

    """

    run_id: str
    jobs: Sequence[Job]
    arms: Mapping[str, ArmSpec]
    limits: Limits
    folder: Path
    evidence: Evidence

    def due(self) -> tuple[Session, list[Job]] | None:
        """Return the next session with its jobs, None where every verdict stands.

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
        due = ((self.session(purpose), jobs) for purpose, jobs in wanted.items() if jobs)
        return next(due, None)

    def session(self, purpose: str) -> Session:
        """Return the next session, which takes the blocks of a job as earlier ones did."""
        arms = dict(self.arms)
        if purpose == "control":
            arms["b"] = arms["a"]
        made = Session(
            number=1 + max((pair.session for pair in self.records()), default=0),
            purpose=purpose,
            run_id=self.run_id,
            arms=arms,
            limits=self.limits,
            folder=self.folder,
            plans={pair.key: dict(pair.plan) for pair in self.records() if pair.plan},
        )
        metric = self.evidence.rules.metric
        return made if metric == TIME else MetricSession(**vars(made), metric=metric)

    def records(self) -> Iterator[Pair]:
        """Yield all records so far."""
        for pairs in self.evidence.pairs.values():
            yield from pairs
