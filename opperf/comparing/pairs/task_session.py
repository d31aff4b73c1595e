"""A script task in two arms: fresh runs in turns, one of either arm in each session."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.campaign import ArmComparison
from opperf.core.results.pair import METRIC_SCHEMA, SCHEMA, Pair, PairMetric, pair_key
from opperf.core.results.parts import OperatorRecord
from opperf.core.results.record import now
from opperf.core.version import VERSION
from opperf.tasks.record import subject_of
from opperf.tasks.session import run_session

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.tasks.session import TaskSession
    from opperf.tasks.task import ScriptTask

ORDERS = ("ab", "ba")
PLAN = {"runs": 1}
"""How a session takes its values: one fresh run of each arm."""


@dataclass(frozen=True, kw_only=True)
class TaskJob:
    """A task for a number of GPUs, as the records of its comparison name it."""

    task: ScriptTask
    num_gpus: int
    timeout: float | None = None
    has_control: ClassVar[bool] = True

    @property
    def operator(self) -> OperatorRecord:
        """What is run."""
        fields = subject_of(self.task, self.num_gpus, "").operator
        return OperatorRecord(**fields, direction="forward")

    @property
    def attributes(self) -> dict[str, Any]:
        """What it is given."""
        return dict(subject_of(self.task, self.num_gpus, "").attributes)

    @property
    def key(self) -> str:
        """The key of its records."""
        return pair_key(self.operator, (), self.attributes)


@dataclass(kw_only=True)
class TaskArmSession:
    """One session: a fresh run of each arm, in an order by a coin.

    Args:
        number: which one it is; it settles the order.
        purpose: comparison, control (both arms are A) or confirmation.
        run_id: the run its records belong to.
        arms: the arms "a" and "b".
        metric: the name of what is compared.
        logs: where the log of a run that fails is kept.
    """

    number: int
    purpose: str
    run_id: str
    arms: Mapping[str, ArmSpec]
    metric: str
    logs: Path
    environments: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def measure(self, jobs: Sequence[TaskJob]) -> Generator[Pair]:
        """Yield the record of each job."""
        coin = Random(f"{self.number} {self.purpose}")  # noqa: S311 - no secret
        self.logs.mkdir(exist_ok=True)
        for job in jobs:
            started_at = now()
            order = coin.choice(ORDERS)
            runs = {name: self.run(job, name) for name in order}
            yield self.record(job, started_at, runs)

    def run(self, job: TaskJob, name: str) -> TaskSession:
        """Return one fresh run of an arm."""
        arm = self.arms[name]
        command = job.task.watch_command(job.num_gpus, arm.variables, arm.python)
        path = self.logs / f"{self.purpose}-{self.number:04d}-{name}.log"
        return run_session(job.task, command, path, job.timeout)

    def record(self, job: TaskJob, started_at: str, runs: Mapping[str, TaskSession]) -> Pair:
        """Return the record of what was found."""
        endings = {name: run.ending for name, run in runs.items()}
        works = all(ending.status == "ok" for ending in endings.values())
        said = [f"arm {n}: {endings[n].reason}" for n in "ab" if endings[n].reason]
        fields: dict[str, Any] = {"schema": SCHEMA}
        if self.metric != TIME:
            fields = {"schema": METRIC_SCHEMA, "metric": metric_of(runs, self.metric, works=works)}
        elif works:
            a, b = (endings[name].seconds for name in "ab")
            fields |= {"a_blocks": (a,), "b_blocks": (b,), "a_seconds": a, "b_seconds": b}
            fields |= {"ratio": log(b / a)}
        return Pair(
            result_id=uuid4().hex,
            run_id=self.run_id,
            session=self.number,
            purpose=self.purpose,
            started_at=started_at,
            opperf_version=VERSION,
            operator=job.operator,
            inputs=(),
            attributes=job.attributes,
            a_status=endings["a"].status,
            b_status=endings["b"].status,
            reason="; ".join(said) or None,
            plan=PLAN if works else None,
            **fields,
        )


def metric_of(runs: Mapping[str, TaskSession], name: str, *, works: bool) -> PairMetric:
    """Return a metric's value in both arms, or why one has none."""
    found = {arm: next(m for m in run.metrics if m.name == name) for arm, run in runs.items()}
    first = found["a"]
    a, b = found["a"].value, found["b"].value
    if works and a is not None and b is not None:
        return PairMetric(name=name, unit=first.unit, better=first.better, a=(a,), b=(b,))
    missing = next((f"arm {arm}: {m.reason}" for arm, m in found.items() if m.reason), None)
    reason = missing if works else None
    return PairMetric(name=name, unit="", better=None, a=(), b=(), reason=reason)


@dataclass(frozen=True, kw_only=True)
class TaskComparison(ArmComparison):
    """A comparison of a task; `logs` is the folder for the logs of runs that fail."""

    logs: Path

    def session(self, purpose: str) -> Any:
        """Return the next session."""
        arms = {**self.arms, **({"b": self.arms["a"]} if purpose == "control" else {})}
        return TaskArmSession(
            number=1 + max((pair.session for pair in self.records()), default=0),
            purpose=purpose,
            run_id=self.run_id,
            arms=arms,
            metric=self.evidence.rules.metric,
            logs=self.logs,
        )
