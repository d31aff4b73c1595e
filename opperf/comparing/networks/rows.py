"""The rows of a network in a comparison: what its calls predict, beside what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.comparing.networks.prediction import Prediction, predict
from opperf.comparing.row import PREDICTION, ComparedRow
from opperf.comparing.verdict import decide, is_narrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.comparing.campaign import Evidence
    from opperf.comparing.networks.jobs import NetworkJobs
    from opperf.comparing.networks.prediction import Shift
    from opperf.planning.task import Place

SUM, STEP = "sum of operators", "predicted step"


@dataclass(frozen=True, kw_only=True)
class ComparedNetwork:
    """A network's calls at one place, and what they predict."""

    jobs: NetworkJobs
    place: Place
    prediction: Prediction
    min_effect: float

    @property
    def rows(self) -> Iterator[ComparedRow]:
        """The rows of what is predicted: of the sum, and of the step where it is measured."""
        prediction = self.prediction
        seconds = prediction.seconds
        if seconds is None:
            return
        yield self.row(SUM, prediction.sum, seconds, None)
        if prediction.predicted:
            a, ratio = prediction.step_seconds, prediction.step.ratio or 1.0
            yield self.row(STEP, prediction.step, (a, a * ratio), self.agreement)

    def row(
        self, what: str, shift: Shift, seconds: tuple[float, float], remark: str | None
    ) -> ComparedRow:
        """Return a row of what is predicted."""
        record, ends = self.jobs.record, shift.ends
        middle = shift.middle
        verdict, reason = decide(ends, middle, len(shift.sessions), self.min_effect)
        given: dict[str, Any] = {"mode": record.mode, "batch": record.batch, "of": what}
        return ComparedRow(
            operator=record.network,
            framework=record.framework,
            direction=self.jobs.direction,
            size=None,
            fused=None,
            inputs={name: value for name, value in given.items() if value is not None},
            a_seconds=seconds[0],
            b_seconds=seconds[1],
            ratio=shift.ratio,
            interval=shift.interval,
            reliable=is_narrow(shift.interval),
            sessions=len(shift.sessions),
            disturbed=0,
            pairs=0,
            verdict=verdict,
            confirmed=None,
            reason="; ".join(filter(None, [reason, remark])) or None,
            control=False,
            kind=PREDICTION,
            agrees=self.prediction.agrees(self.min_effect) if what == STEP else None,
        )

    @property
    def agreement(self) -> str:
        """Whether the measured step agrees with the predicted one, and by how much it does not."""
        gap = self.prediction.gap
        if gap.interval is None:
            return "too few sessions to hold it against the measured step"
        low, high = gap.interval
        said = f"measured / predicted {gap.ratio:.3f} [{low:.3f}, {high:.3f}]"
        if self.prediction.agrees(self.min_effect):
            return f"the measured step agrees: {said}"
        return f"THE MEASURED STEP DIFFERS by {abs((gap.ratio or 1.0) - 1):.1%}: {said}"

    @property
    def line(self) -> str:
        """How many of the network's calls there are times of."""
        counts, calls = self.jobs.counts_at(self.place), self.jobs.record.calls
        measured = self.prediction.measured
        made, every = sum(counts[key] for key in measured), sum(call.count for call in calls)
        return (
            f"{self.jobs.record.network}: {made} of {every} calls of a step ({made / every:.1%}) "
            f"were measured in both arms, {len(measured)} of {len(calls)} distinct ones"
        )


def compared_networks(jobs: NetworkJobs, evidence: Evidence) -> list[ComparedNetwork]:
    """Return what a network's calls predict at each place."""
    return [
        ComparedNetwork(
            jobs=jobs,
            place=place,
            prediction=predict(evidence, jobs.counts_at(place), jobs.step_at(place)),
            min_effect=evidence.rules.min_effect,
        )
        for place in jobs.places
    ]
