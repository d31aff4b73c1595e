"""One session of several arms for another metric than the time: its values in turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.comparing.pairs.metric_session import CHECKED, SENSELESS, MetricSession
from opperf.comparing.rounds.design import orders
from opperf.comparing.rounds.session import RoundSession
from opperf.core.results.pair import PairMetric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import ArmProcess
    from opperf.comparing.rounds.finding import RoundFinding
    from opperf.core.results.pair import Pair
    from opperf.core.timing.metric import Metric

    Values = Mapping[str, Sequence[Metric | None]]


@dataclass(kw_only=True)
class RoundMetricSession(RoundSession, MetricSession):
    """A session whose arms take turns at yielding a metric: a round, there and back."""

    def take_rounds(
        self, job: Job, processes: Mapping[str, ArmProcess], coin: Random, found: RoundFinding
    ) -> None:
        """Take the values of a job in all arms, and check what it computes."""
        if not self.is_fresh and self.make_all_ready(job, processes, found) is None:
            return
        values = self.values_of(processes, coin, found)
        self.check_all(job, processes, found)
        if found.works(self.reference):
            names = [name for name in processes if name != self.reference and found.works(name)]
            found.metrics = {name: self.both(values, name) for name in names}

    def values_of(
        self, processes: Mapping[str, ArmProcess], coin: Random, found: RoundFinding
    ) -> Values:
        """Return what each arm yields, in turns; an arm that fails is not asked again."""
        values: dict[str, list[Metric | None]] = {name: [] for name in processes}
        order = next(orders([*processes], self.number, coin))
        for name in (*order, *order[::-1]):
            if found.works(name):
                own = found.jobs[name]
                with found.noting():
                    metric = processes[name].metric(own, self.tensors(own), self.metric)
                    values[name].append(metric)
        return values

    def check_all(self, job: Job, processes: Mapping[str, ArmProcess], found: RoundFinding) -> None:
        """Check each arm's outputs; of processes in which nothing is timed in the first session."""
        for name, process in processes.items():
            is_checked = self.is_fresh and (job.key, name) in self.checked
            if found.works(name) and not is_checked:
                with found.noting():
                    process.check()
        if self.is_fresh:
            self.checked |= {(job.key, name) for name in processes if found.works(name)}
            found.plan = dict(CHECKED) if found.works(self.reference) else None

    def both(self, values: Values, name: str) -> PairMetric:
        """Return the values of the reference and of another arm, or why one has none."""
        known: list[tuple[float, ...]] = []
        unit, better = "", None
        for arm in (self.reference, name):
            metrics = [each for each in values[arm] if each and each.value is not None]
            if len(metrics) < len(values[arm]):
                reasons = (each.reason for each in values[arm] if each and each.reason)
                said = f"arm {arm}: {next(reasons, SENSELESS)}"
                return PairMetric(name=self.metric, unit="", better=None, a=(), b=(), reason=said)
            known.append(tuple(each.value or 0 for each in metrics))
            unit, better = metrics[0].unit, metrics[0].better
        a, b = known
        return PairMetric(name=self.metric, unit=unit, better=better, a=a, b=b)

    def record_of(self, job: Job, name: str, found: RoundFinding) -> Pair:
        """Return the record of what was found in an arm beside the reference."""
        none = PairMetric(name=self.metric, unit="", better=None, a=(), b=())
        metric = found.metrics.get(name, none)
        return structs.replace(super().record_of(job, name, found), metric=metric)
