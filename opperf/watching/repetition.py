"""Several runs of a command as one measurement: its time and its metrics over fresh processes."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from msgspec import structs

from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble
from opperf.core.statistics.reliability import is_noisy
from opperf.core.statistics.student import quantile
from opperf.core.statistics.summary import relative_half_width, summarize
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.timing.measure import Samples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.outcome import Outcome, Subject
    from opperf.core.results.result import Result
    from opperf.core.statistics.summary import Summary
    from opperf.core.timing.metric import Metric
    from opperf.measuring.campaign import Labels

ALPHA = 0.05
LEAST_WIDTH = 0.0
"""The precision that nobody asked for: a reliable time is known to 5 %."""


def labeled_record(
    subject: Subject,
    outcome: Outcome,
    environment: Mapping[str, Any],
    started_at: str,
    labels: Labels,
) -> Result:
    """Return the record of what runs of a command have found, as part of a run of opperf."""
    fields = assemble(subject, "forward", outcome, environment, started_at)
    return structs.replace(
        from_mapping(fields), run_id=labels.run_id, command=labels.command, tags=labels.tags
    )


def with_times(outcome: Outcome, seconds: Sequence[float], iterations: int = 1) -> Outcome:
    """Return an outcome with the wall-clock time of each run.

    Args:
        outcome: without any.
        seconds: of all iterations of each run.
        iterations: how many each run has made.
    """
    samples = Samples(
        seconds=tuple(seconds), iterations=iterations, first_call=seconds[0] / iterations,
        loop_overhead=0.0, method="interval", stop_reason="runs", steady=True,
    )  # fmt: skip
    times = [*samples.times()]
    summary = with_interval(summarize(times), times)
    warnings = []
    if summary.interval is None:
        said = "no 95 % interval: one run; give --sessions"
        warnings.append(MeasurementWarning("no_interval", said))
    noisy = is_noisy(summary, precision=LEAST_WIDTH, disturbed=False) and len(times) > 1
    if noisy:
        said = f"the runs tell the time to {summary.precision or 0:.1%} only; give more --sessions"
        warnings.append(MeasurementWarning("noisy", said))
    return replace(
        outcome, status="noisy" if noisy else "ok", samples=samples, summary=summary,
        warnings=warnings,
    )  # fmt: skip


def with_interval(summary: Summary, values: Sequence[float]) -> Summary:
    """Return a summary with Student's interval where there are too few runs for the ranks'."""
    if summary.interval is not None or len(values) < 2:  # noqa: PLR2004 - what a spread needs
        return summary
    interval = student_interval(values)
    precision = relative_half_width(interval, summary.median)
    return replace(summary, interval=interval, precision=precision)


def student_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the mean's 95 % interval over runs, None of a single one."""
    if len(values) < 2:  # noqa: PLR2004 - what a spread needs
        return None
    middle = mean(values)
    half = quantile(ALPHA, len(values) - 1) * stdev(values) / sqrt(len(values))
    return middle - half, middle + half


def over_runs(runs: Sequence[Sequence[Metric]]) -> list[Metric]:
    """Return the metrics of all runs, in the order in which they appear first."""
    named = [{metric.name: metric for metric in run} for run in runs]
    names = dict.fromkeys(name for run in named for name in run)
    return [mean_metric(name, [run.get(name) for run in named]) for name in names]


def mean_metric(name: str, metrics: Sequence[Metric | None]) -> Metric:
    """Return a metric's mean over runs with its interval; none where one run has no value."""
    known = [metric for metric in metrics if metric is not None]
    missing = [metric for metric in known if metric.value is None]
    if missing:
        return missing[0]
    if len(known) < len(metrics):
        reason = f"{len(metrics) - len(known)} of {len(metrics)} runs reported no {name}"
        return replace(known[0], value=None, reason=reason[:200])
    values = [metric.value for metric in known if metric.value is not None]
    return replace(known[0], value=mean(values), interval=student_interval(values))
