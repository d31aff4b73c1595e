"""From a run of a method to one record, which stores and reports serve as any other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.core.results.identity import METHOD
from opperf.core.results.metrics import QUANTITIES
from opperf.core.results.outcome import Outcome, Subject
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble
from opperf.core.statistics.summary import summarize
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.timing.measure import Samples
from opperf.core.timing.metric import Metric
from opperf.methods.summary import finite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.results.result import Result
    from opperf.measuring.campaign import Labels
    from opperf.methods.report import MethodMetric
    from opperf.methods.run import MethodRun

PYTHON = "python"
"""The framework of a method that has imported none."""
LONGEST = 200
"""Characters of a description that stand in a record."""


def record_of(run: MethodRun, labels: Labels) -> Result:
    """Return the record of a run."""
    verdict = run.verdict
    outcome = Outcome(
        status=verdict.status, reason=verdict.reason, signal=run.ending.signal,
        stderr=None if verdict.succeeded else run.ending.tail[-4096:] or None,
        metrics=[*metrics_of_run(run)],
    )  # fmt: skip
    subject = subject_of(run)
    fields = assemble(
        subject, "forward", with_time(outcome, run), run.environment, run.ending.started_at
    )
    return structs.replace(
        from_mapping(fields), run_id=labels.run_id, command=labels.command, tags=labels.tags
    )


def subject_of(run: MethodRun) -> Subject:
    """Return what is measured: the method by its dotted path."""
    return Subject(
        kind=METHOD,
        operator={
            "name": run.name,
            "category": METHOD,
            "framework": run.answered.framework.name or PYTHON,
            "implementation": run.name,
            "size": None,
            "fused": None,
            "device": "cpu",
            "threads": None,
            "cache": None,
        },
        inputs=[],
        attributes=attributes_of(run),
        initializer=None,
        seed=0,
        threads=1,
        counts={},
        output_bytes=None,
        definition={},
    )


def attributes_of(run: MethodRun) -> dict[str, str]:
    """Return what makes a run another series: profilers take time."""
    return {"profiler_enabled_time": ",".join(run.windows)} if run.windows else {}


def with_time(outcome: Outcome, run: MethodRun) -> Outcome:
    """Return an outcome with the seconds of an iteration, as the method has reported them."""
    report = run.answered.read_report()
    if report.seconds is None:
        return outcome
    iterations = report.iterations or 1
    each = report.seconds / iterations
    samples = Samples(
        seconds=(report.seconds,), iterations=iterations, first_call=each, loop_overhead=0.0,
        method="interval", stop_reason="runs", steady=True,
    )  # fmt: skip
    warnings = [MeasurementWarning("no_interval", "no 95 % interval: the method reports one time")]
    return replace(outcome, samples=samples, summary=summarize(samples.times()), warnings=warnings)


def metrics_of_run(run: MethodRun) -> Iterator[Metric]:
    """Yield what the method reported, then what its processes took and it did not report itself."""
    reported = [metric_of(metric) for metric in run.answered.read_report().metrics]
    yield from reported
    names = {metric.name for metric in reported}
    yield from (metric for metric in run.ending.usage.metrics() if metric.name not in names)


def metric_of(metric: MethodMetric) -> Metric:
    """Return a metric of a report as a record has it.

    A name that is a record's own quantity, such as "time", gets "reported_" before it.
    """
    value = finite(metric.value)
    why = None
    if value is None:
        why = metric.description if metric.value is None else f"it is {metric.value}"
    return Metric(
        name=f"reported_{metric.name}" if metric.name in QUANTITIES else metric.name,
        unit=metric.unit,
        value=value,
        better=None,
        per="run",
        reason=why and why[:LONGEST],
        min_value=finite(metric.min_value),
        max_value=finite(metric.max_value),
    )
