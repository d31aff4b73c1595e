"""From a run of a method to one record, which stores and reports serve as any other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.machine.affinity import usable_processors
from opperf.core.results.identity import METHOD
from opperf.core.results.metrics import QUANTITIES
from opperf.core.results.outcome import Outcome, Subject
from opperf.core.timing.metric import Metric
from opperf.methods.summary import finite
from opperf.watching.repetition import labeled_record, over_runs, with_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.measuring.campaign import Labels
    from opperf.methods.report import MethodMetric
    from opperf.methods.run import MethodRun

PYTHON = "python"
"""The framework of a method that has imported none."""
LONGEST = 200
"""Characters of a description that stand in a record."""


def record_of(runs: Sequence[MethodRun], labels: Labels) -> Result:
    """Return the record of a method's runs, of which the last one may have failed."""
    last = runs[-1]
    verdict = last.verdict
    outcome = Outcome(
        status=verdict.status, reason=verdict.reason, signal=last.ending.signal,
        stderr=None if verdict.succeeded else last.ending.tail[-4096:] or None,
        metrics=over_runs([[*metrics_of_run(run)] for run in runs]),
    )  # fmt: skip
    subject = subject_of(last.name, last.answered.framework.name, last.windows)
    timed = with_reported_times(outcome, runs)
    return labeled_record(subject, timed, last.environment, runs[0].ending.started_at, labels)


def subject_of(name: str, framework: str | None = None, windows: Sequence[str] = ()) -> Subject:
    """Return what is measured: the method by its dotted path.

    Profilers take time: with them it is a series of its own.
    """
    threads = usable_processors()
    return Subject(
        kind=METHOD,
        operator={
            "name": name,
            "category": METHOD,
            "framework": framework or PYTHON,
            "implementation": name,
            "size": None,
            "fused": None,
            "device": "cpu",
            "threads": threads,
            "cache": None,
        },
        inputs=[],
        attributes={"profiler_enabled_time": ",".join(windows)} if windows else {},
        initializer=None,
        seed=0,
        threads=threads,
        counts={},
        output_bytes=None,
        definition={},
    )


def with_reported_times(outcome: Outcome, runs: Sequence[MethodRun]) -> Outcome:
    """Return an outcome with the seconds of an iteration, as the method has reported them.

    What failed keeps its status, and the time that it had reported.
    """
    reports = [run.answered.read_report() for run in runs]
    seconds = [report.seconds for report in reports if report.seconds is not None]
    if len(seconds) < len(reports):
        return outcome
    counts = [report.iterations or 1 for report in reports]
    alike = len({*counts}) == 1
    each = seconds if alike else [s / count for s, count in zip(seconds, counts, strict=True)]
    timed = with_times(outcome, each, counts[0] if alike else 1)
    return timed if outcome.status == "ok" else replace(timed, status=outcome.status)


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
        better=better_of(metric),
        per="run",
        reason=why and why[:LONGEST],
        min_value=finite(metric.min_value),
        max_value=finite(metric.max_value),
    )


def better_of(metric: MethodMetric) -> str | None:
    """Return "more" where a metric has a bound from below only, "less" from above only."""
    sides = (metric.min_value is not None, metric.max_value is not None)
    return {(True, False): "more", (False, True): "less"}.get(sides)
