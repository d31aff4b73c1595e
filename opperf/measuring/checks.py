"""What is checked of an operator's row around its timing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.core.results.outcome import Outcome
from opperf.core.timing.sample_warnings import changed_share, cross_check, value_drift
from opperf.measuring.probes import probe
from opperf.measuring.step import RIGHT, Checks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.observation import Observation
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Work
    from opperf.core.statistics.summary import Summary
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric
    from opperf.measuring.verification import Verification


@dataclass(kw_only=True)
class RowChecks(Checks):
    """A variant and a direction against the reference, and against the other directions' times.

    `medians` holds the seconds of the variant by direction, as they are found.
    """

    verification: Verification
    variant: Variant
    direction: str
    settings: Settings
    medians: dict[str, float] = field(default_factory=dict)

    def compare(self, work: Work) -> Outcome:
        """Compare what the direction yields with the reference."""
        verification, direction = self.verification, self.direction
        comparison = verification.compare(self.variant, direction)
        gradient_kind = verification.expectation.gradient_kind if "backward" in direction else None
        return Outcome(
            status="wrong_result" if comparison.fault else RIGHT,
            reason=comparison.fault or "checked, not timed",
            comparison=comparison,
            gradient_kind=gradient_kind,
            method=work.method,
            is_view=verification.views[self.variant, direction == "forward"],
        )

    def tune(self, work: Work) -> Work:
        """Re-tune a warmed workload for its device."""
        return self.verification.framework.tune(work)

    def drift(self) -> Iterator[MeasurementWarning]:
        """Yield a warning where inputs that the operator leaves alone are not what they were."""
        after = self.verification.workload(self.variant).inputs()
        before = [self.verification.expectation.arrays[name] for name in after]
        yield from value_drift(changed_share(before, after.values()))

    def compare_again(self) -> str | None:
        """Return what is wrong after the samples."""
        return self.verification.compare_again(self.variant, self.direction).fault

    def observe(self, work: Work, summary: Summary) -> Observation:
        """Return what the framework's device tells of the work."""
        return self.verification.framework.observe(work, summary.median)

    def agreement(self, summary: Summary) -> Iterator[MeasurementWarning]:
        """Yield a warning where the backward alone and by subtraction disagree."""
        self.medians[self.direction] = summary.median
        if self.direction == "forward_backward":
            yield from cross_check(self.medians)

    def probe(self, work: Work, samples: Samples) -> Sequence[Metric]:
        """Return what probes find of a call."""
        return probe(work, samples, self.settings)
