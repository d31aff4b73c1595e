"""What is due in a comparison of several arms: its next session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import UNSET

from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.job import controls_of
from opperf.comparing.rounds.metric_session import RoundMetricSession
from opperf.comparing.rounds.session import AGAIN, RoundSession

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.entry import ArmEntry
    from opperf.comparing.campaign import Evidence
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.rounds.evidence import ArmsEvidence
    from opperf.core.results.pair import Pair
    from opperf.measuring.worker.handle import Limits

    Contenders = Mapping[str, Sequence[str]]
    """The arms that each job is measured in beside the reference, by the job's key."""

WANTS = {"comparison": "wants_comparison", "confirmation": "wants_confirmation"}


@dataclass(frozen=True, kw_only=True)
class RoundComparison:
    """What is compared, and what has been found of it.

    Args:
        run_id: the run that the records belong to.
        jobs: what is measured, as the reference measures it.
        arms: by name, the reference first.
        limits: each child's time and memory.
        folder: room for tensors; they are drawn once.
        evidence: the records of all sessions so far.

    """

    run_id: str
    jobs: Sequence[Job]
    arms: Mapping[str, ArmEntry]
    limits: Limits
    folder: Path
    evidence: ArmsEvidence

    def due(self) -> tuple[RoundSession, list[Job]] | None:
        """Return the next session with its jobs, None where every verdict stands.

        Controls keep pace with the rest, so that a machine that lies is found out early.
        """
        found = self.evidence
        again = [f"{found.reference} {AGAIN}"]
        plans: list[tuple[str, Contenders]] = [
            (
                "control",
                {
                    job.key: again
                    for job in controls_of(self.jobs)
                    if found.controls.wants_control(job.key)
                    and len(found.controls.of(job.key, "control")) < found.sessions_of(job.key)
                },
            ),
            *((purpose, self.contenders(purpose)) for purpose in WANTS),
        ]
        for purpose, contenders in plans:
            jobs = [job for job in self.jobs if job.key in contenders]
            if jobs:
                return self.session(purpose, contenders), jobs
        return None

    def contenders(self, purpose: str) -> Contenders:
        """Return the arms of each job that wants any for a purpose."""
        found = {
            job.key: [
                name
                for name in self.evidence.contenders
                if self.wants(self.evidence.by_arm[name], purpose, job.key)
            ]
            for job in self.jobs
        }
        return {key: names for key, names in found.items() if names}

    def wants(self, evidence: Evidence, purpose: str, key: str) -> bool:
        """Return whether a job needs one more session of an arm."""
        needs: bool = getattr(evidence, WANTS[purpose])(key)
        return needs

    def session(self, purpose: str, contenders: Contenders) -> RoundSession:
        """Return the next session, of the arms that are wanted for any job."""
        reference = self.evidence.reference
        arms = {reference: self.arms[reference]}
        if purpose == "control":
            arms[f"{reference} {AGAIN}"] = self.arms[reference]
        else:
            every = {name for names in contenders.values() for name in names}
            arms |= {name: arm for name, arm in self.arms.items() if name in every}
        records = [*self.evidence.records()]
        made = RoundSession(
            number=1 + max((pair.session for pair in records), default=0),
            purpose=purpose,
            run_id=self.run_id,
            arms=arms,
            limits=self.limits,
            folder=self.folder,
            plans={pair.key: dict(pair.plan) for pair in records if pair.plan},
            contenders=contenders,
            checked={each for pair in records if pair.plan for each in self.checked_by(pair)},
        )
        metric = self.evidence.rules.metric
        return made if metric == TIME else RoundMetricSession(**vars(made), metric=metric)

    def checked_by(self, pair: Pair) -> Iterator[tuple[str, str]]:
        """Yield the job and the arms whose outputs were found to be right by then."""
        reference = self.evidence.reference
        if pair.a_status == "ok":
            yield pair.key, reference
            yield pair.key, f"{reference} {AGAIN}"
        if pair.b_status == "ok" and pair.arm is not UNSET:
            yield pair.key, pair.arm
