"""The measuring step: first call, comparison, samples, and what may be said of them."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from opperf.core.frameworks.observation import Observation
from opperf.core.memory.heap import holes_filled
from opperf.core.results.outcome import Outcome
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure, time_first_call
from opperf.core.timing.sample_warnings import ending, sample_warnings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.statistics.summary import Summary
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric

RIGHT = "skipped"
"""The status of what was compared, is right, and has not been timed."""


@dataclass(kw_only=True)
class Checks:
    """What is checked of a work before and after it is timed: nothing, unless overridden.

    `warnings` are given with the times whatever they are.
    """

    warnings: Sequence[MeasurementWarning] = ()

    def compare(self, work: Work) -> Outcome:  # noqa: ARG002 - nothing is
        """Compare what was called once; the status is `RIGHT` unless something is wrong."""
        return Outcome(status=RIGHT)

    def tune(self, work: Work) -> Work:
        """Return the work as it is timed."""
        return work

    def drift(self) -> Iterable[MeasurementWarning]:
        """Return a warning where inputs have changed that are to stay what they are."""
        return ()

    def compare_again(self) -> str | None:
        """Return what is wrong after the samples, where it was right before."""
        return None

    def observe(self, work: Work, summary: Summary) -> Observation:  # noqa: ARG002 - nothing is
        """Return what the device tells of the work."""
        return Observation()

    def agreement(self, summary: Summary) -> Iterable[MeasurementWarning]:  # noqa: ARG002 - nothing is
        """Return a warning where the time disagrees with those of other directions."""
        return ()

    def probe(
        self,
        work: Work,  # noqa: ARG002 - nothing is
        samples: Samples,  # noqa: ARG002 - nothing is
    ) -> Sequence[Metric]:
        """Return what probes find of a call."""
        return ()


def measure_work(
    work: Work, settings: Settings, checks: Checks, *, fill_holes: bool, check_only: bool = False
) -> Outcome:
    """Call a work once, compare what comes out, and only then time it; return what was found.

    Args:
        work: what is called.
        settings: how precisely it is timed, within which budget.
        checks: what is compared, before and after.
        fill_holes: whether the heap's holes are filled while it is timed.
        check_only: whether it is not timed at all.

    """
    first_call = time_first_call(work)
    checked = checks.compare(work)
    if checked.status != RIGHT or check_only:
        return checked
    work = checks.tune(work)
    with holes_filled() if fill_holes else nullcontext():
        samples = measure(work, settings, first_call=first_call)
    drift = [*checks.drift()]
    # What computes on other inputs than it was given cannot be compared with the reference.
    if not drift and (fault := checks.compare_again()):
        calls = len(samples.seconds) * samples.iterations
        wrong = f"right at first, wrong after some {calls} calls: {fault}"
        return replace(checked, status="wrong_result", reason=wrong)
    summary = summarize(samples.times())
    seen = checks.observe(work, summary)
    warnings = [
        *checks.warnings,
        *sample_warnings(samples, summary, settings),
        *checks.agreement(summary),
        *drift,
        *seen.warnings,
    ]
    status, reason = ending(samples, summary, settings, warnings)
    return replace(
        checked, status=status, reason=reason, samples=samples, summary=summary, warnings=warnings,
        device_times=seen.device_times, conditions=seen.conditions,
        metrics=checks.probe(work, samples),
    )  # fmt: skip
