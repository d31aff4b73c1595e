"""From the runs of a task to one record, which stores and reports serve as any other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.core.environment import collect
from opperf.core.machine.affinity import usable_processors
from opperf.core.results.identity import TASK
from opperf.core.results.outcome import Outcome, Subject
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble
from opperf.core.statistics.reliability import is_noisy
from opperf.core.statistics.student import quantile
from opperf.core.statistics.summary import relative_half_width, summarize
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.timing.measure import Samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.core.statistics.summary import Summary
    from opperf.core.timing.metric import Metric
    from opperf.tasks.session import TaskSession
    from opperf.tasks.task import ScriptTask

COMMAND = "command"
"""The framework of a task of which nobody says another."""
ALPHA = 0.05
LEAST_WIDTH = 0.0
"""The precision that nobody asked for: a reliable time is known to 5 %."""


@dataclass(frozen=True, kw_only=True)
class TaskLabels:
    """What a record says of the run that it belongs to."""

    run_id: str
    command: str
    tags: tuple[str, ...] = ()


def subject_of(task: ScriptTask, num_gpus: int, framework: str) -> Subject:
    """Return what is measured: the command for so many GPUs, and what its log is asked for."""
    metrics = [[metric.name, metric.pattern, metric.method] for metric in task.metrics]
    threads = usable_processors()
    return Subject(
        kind=TASK,
        operator={
            "name": task.name,
            "category": TASK,
            "framework": framework or COMMAND,
            "implementation": None,
            "size": None,
            "fused": None,
            "device": "cuda" if num_gpus else "cpu",
            "threads": threads,
            "cache": None,
        },
        inputs=[],
        attributes={"command": task.command, "num_gpus": num_gpus},
        initializer=None,
        seed=0,
        threads=threads,
        counts={},
        output_bytes=None,
        definition={"metrics": metrics, "shell": task.shell, "launcher": [*task.launcher]},
    )


def record_of(
    task: ScriptTask,
    sessions: Sequence[TaskSession],
    num_gpus: int,
    framework: str,
    labels: TaskLabels,
) -> Result:
    """Return the record of a task's runs, of which the last one may have failed."""
    last = sessions[-1].ending
    metrics = [over_runs([run.metrics[at] for run in sessions]) for at in indices(sessions)]
    outcome = Outcome(
        status=last.status, reason=last.reason, signal=last.signal,
        stderr=(last.tail[-4096:] or None) if last.status != "ok" else None, metrics=metrics,
    )  # fmt: skip
    if last.status == "ok":
        outcome = with_times(outcome, [run.seconds for run in sessions])
    subject = subject_of(task, num_gpus, framework)
    fields = assemble(subject, "forward", outcome, collect(), sessions[0].ending.started_at)
    return structs.replace(
        from_mapping(fields), run_id=labels.run_id, command=labels.command, tags=labels.tags
    )


def indices(sessions: Sequence[TaskSession]) -> range:
    """Return the places of the metrics, which are the same in each run."""
    return range(len(sessions[0].metrics))


def with_times(outcome: Outcome, seconds: list[float]) -> Outcome:
    """Return an outcome with the wall-clock time of each run."""
    summary = with_interval(summarize(seconds), seconds)
    samples = Samples(
        seconds=tuple(seconds), iterations=1, first_call=seconds[0], loop_overhead=0.0,
        method="interval", stop_reason="runs", steady=True,
    )  # fmt: skip
    warnings = []
    if summary.interval is None:
        said = "no 95 % interval: one run; give --sessions"
        warnings.append(MeasurementWarning("no_interval", said))
    noisy = is_noisy(summary, precision=LEAST_WIDTH, disturbed=False) and len(seconds) > 1
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


def over_runs(metrics: Sequence[Metric]) -> Metric:
    """Return a metric's mean over runs with its interval; none where one run has no value."""
    missing = [metric for metric in metrics if metric.value is None]
    if missing:
        return missing[0]
    values = [metric.value for metric in metrics if metric.value is not None]
    return replace(metrics[0], value=mean(values), interval=student_interval(values))
