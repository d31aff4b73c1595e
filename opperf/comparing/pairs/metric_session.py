"""One session of a metric other than the time: its values in both arms in turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from opperf.comparing.pairs.blocks import ORDERS
from opperf.comparing.pairs.session import Session
from opperf.core.results.pair import METRIC_SCHEMA, PairMetric
from opperf.measuring.probes import probe_of
from opperf.measuring.probes.probe import FreshProbe
from opperf.measuring.worker.variables import MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from random import Random

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.job_finding import JobFinding
    from opperf.comparing.pairs.process import ArmProcess
    from opperf.core.results.pair import Pair
    from opperf.core.timing.metric import Metric
    from opperf.measuring.worker.handle import Worker
    from opperf.planning.task import Place

CHECKED = {"checked": True}
"""The plan of what is weighed: there is nothing to settle but that it is right."""
SENSELESS = "there is no such metric of this row"


@dataclass(kw_only=True)
class MetricSession(Session):
    """A session whose arms take turns at yielding a metric: ABBA or BAAB, as blocks of times do."""

    metric: str

    @property
    def is_fresh(self) -> bool:
        """Whether the metric needs a process in which nothing is timed."""
        return isinstance(probe_of(self.metric), FreshProbe)

    def worker(self, arm: ArmSpec, place: Place, program: str) -> Worker:
        """Return a handle for one arm's process, as the metric needs it."""
        made = super().worker(arm, place, program)
        if not self.is_fresh:
            return made
        return replace(
            made,
            variables={**made.variables, **MEMORY, **arm.variables},
            module="opperf.measuring.children.fresh_arm",
        )

    def take(
        self,
        job: Job,
        processes: Mapping[str, ArmProcess],
        tensors: Path,
        coin: Random,
        found: JobFinding,
    ) -> None:
        """Take the values of a job in both arms, and check what it computes."""
        if not self.is_fresh and self.make_ready(job, processes, tensors, found) is None:
            return
        values = self.values(job, processes, tensors, coin, found)
        self.check(job, processes, found)
        if {*found.endings.values()} == {"ok"}:
            found.metric = metric_of(values, self.metric)

    def values(
        self,
        job: Job,
        processes: Mapping[str, ArmProcess],
        tensors: Path,
        coin: Random,
        found: JobFinding,
    ) -> dict[str, list[Metric | None]]:
        """Return what each arm yields, in turns; an arm that fails is not asked again."""
        values: dict[str, list[Metric | None]] = {name: [] for name in processes}
        for name in coin.choice(ORDERS):
            if found.endings[name] == "ok":
                with found.noting():
                    values[name].append(processes[name].metric(job, tensors, self.metric))
        return values

    def check(self, job: Job, processes: Mapping[str, ArmProcess], found: JobFinding) -> None:
        """Check the row: what was timed once more, what is weighed in the job's first session."""
        if self.is_fresh and self.plans.get(job.key):
            found.plan = self.plans[job.key]
            return
        for name, process in processes.items():
            if found.endings[name] == "ok":
                with found.noting():
                    process.check()
        if self.is_fresh and {*found.endings.values()} == {"ok"}:
            found.plan = self.plans[job.key] = dict(CHECKED)

    def record(self, job: Job, found: JobFinding) -> Pair:
        """Return the record of what was found."""
        made = super().record(job, found)
        metric = found.metric or PairMetric(name=self.metric, unit="", better=None, a=(), b=())
        schema = METRIC_SCHEMA if made.subject is UNSET else made.schema
        return structs.replace(made, schema=schema, metric=metric)


def metric_of(by_arm: Mapping[str, list[Metric | None]], name: str) -> PairMetric:
    """Return the values of both arms, or why one has none."""
    known: dict[str, list[Metric]] = {}
    for arm, metrics in by_arm.items():
        known[arm] = [metric for metric in metrics if metric and metric.value is not None]
        if len(known[arm]) < len(metrics):
            reason = next((metric.reason for metric in metrics if metric and metric.reason), None)
            said = f"arm {arm}: {reason or SENSELESS}"
            return PairMetric(name=name, unit="", better=None, a=(), b=(), reason=said)
    a, b = (tuple(metric.value or 0 for metric in known[arm]) for arm in "ab")
    first = known["a"][0]
    return PairMetric(name=name, unit=first.unit, better=first.better, a=a, b=b)
