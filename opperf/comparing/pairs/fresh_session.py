"""What runs in a process of its own, in two arms: fresh runs in turns, one of each a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from uuid import uuid4

from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.campaign import ArmComparison
from opperf.core.errors import UsageError, unknown
from opperf.core.results.pair import METRIC_SCHEMA, SCHEMA, Pair, PairMetric
from opperf.core.results.record import now
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.core.results.parts import OperatorRecord
    from opperf.core.timing.metric import Metric

ORDERS = ("ab", "ba")
PLAN = {"runs": 1}
"""How a session takes its values: one fresh run of each arm."""


@dataclass(frozen=True, kw_only=True)
class FreshRun:
    """How one run of an arm ended: its status, its seconds, and all of its metrics."""

    status: str
    reason: str | None
    seconds: float | None
    metrics: Sequence[Metric]

    @property
    def works(self) -> bool:
        """Whether what it has found counts."""
        return self.status == "ok"

    def metric(self, name: str) -> Metric | None:
        """Return the metric of a name."""
        return next((metric for metric in self.metrics if metric.name == name), None)


class FreshJob(Protocol):
    """What is compared by fresh runs, as the records of its comparison name it."""

    has_control: ClassVar[bool]

    @property
    def operator(self) -> OperatorRecord:
        """What is run."""

    @property
    def attributes(self) -> dict[str, Any]:
        """What it is given."""

    @property
    def key(self) -> str:
        """The key of its records."""

    def run(self, arm: ArmSpec, log: Path, metric: str) -> FreshRun:
        """Run it once in an arm; what it leaves is kept in or beside `log` where it fails."""


@dataclass(kw_only=True)
class FreshArmSession:
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
    job_numbers: dict[str, int] = field(default_factory=dict)

    def record_count(self, jobs: Sequence[FreshJob]) -> int:
        """Return how many records jobs make."""
        return len(jobs)

    def measure(self, jobs: Sequence[FreshJob]) -> Generator[Pair]:
        """Yield the record of each job."""
        coin = Random(f"{self.number} {self.purpose}")  # noqa: S311 - no secret
        self.logs.mkdir(exist_ok=True)
        for job in jobs:
            started_at = now()
            order = coin.choice(ORDERS)
            runs = {name: self.run(job, name) for name in order}
            yield self.record(job, started_at, runs)

    def run(self, job: FreshJob, name: str) -> FreshRun:
        """Return one fresh run of an arm."""
        at = self.job_numbers.setdefault(job.key, len(self.job_numbers) + 1)
        log = self.logs / f"{self.purpose}-{self.number:04d}-{at:03d}-{name}.log"
        return job.run(self.arms[name], log, self.metric)

    def record(self, job: FreshJob, started_at: str, runs: Mapping[str, FreshRun]) -> Pair:
        """Return the record of what was found."""
        works = all(run.works for run in runs.values())
        said = [f"arm {name}: {runs[name].reason}" for name in "ab" if runs[name].reason]
        fields: dict[str, Any] = {"schema": SCHEMA}
        if self.metric != TIME:
            fields = {"schema": METRIC_SCHEMA, "metric": metric_of(runs, self.metric, works=works)}
        elif works:
            a, b = (runs[name].seconds or 0.0 for name in "ab")
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
            a_status=runs["a"].status,
            b_status=runs["b"].status,
            reason="; ".join(said) or None,
            plan=PLAN if works else None,
            **fields,
        )


def metric_of(runs: Mapping[str, FreshRun], name: str, *, works: bool) -> PairMetric:
    """Return a metric's value in both arms, or why one has none.

    Raises:
        UsageError: both arms work, and neither has a metric of that name.
    """
    found = {arm: run.metric(name) for arm, run in runs.items()}
    a, b = found["a"], found["b"]
    if works and a is None and b is None:
        names = dict.fromkeys(each.name for run in runs.values() for each in run.metrics)
        raise UsageError(unknown("metric", name, [TIME, *names]))
    if works and a and b and a.value is not None and b.value is not None:
        return PairMetric(name=name, unit=a.unit, better=a.better, a=(a.value,), b=(b.value,))
    missing = (
        f"arm {arm}: {metric.reason if metric else f'reported no {name}'}"
        for arm, metric in found.items()
        if metric is None or metric.value is None
    )
    reason = next(missing, None) if works else None
    return PairMetric(name=name, unit="", better=None, a=(), b=(), reason=reason)


@dataclass(frozen=True, kw_only=True)
class FreshComparison(ArmComparison):
    """A comparison by fresh runs; `logs` is the folder for what runs that fail leave."""

    logs: Path

    def session(self, purpose: str) -> Any:
        """Return the next session."""
        arms = {**self.arms, **({"b": self.arms["a"]} if purpose == "control" else {})}
        return FreshArmSession(
            number=1 + max((pair.session for pair in self.records()), default=0),
            purpose=purpose,
            run_id=self.run_id,
            arms=arms,
            metric=self.evidence.rules.metric,
            logs=self.logs,
        )
