"""One run of a task: the command under watch, and the numbers of its log as it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from opperf.core.errors import quote
from opperf.core.timing.metric import Metric
from opperf.tasks.calculation import FEWEST, METHODS
from opperf.watching.log import RotatedLog
from opperf.watching.matching import take_lines
from opperf.watching.watch import WatchOptions, watch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opperf.tasks.task import LogMetric, ScriptTask
    from opperf.watching.command import WatchCommand
    from opperf.watching.ending import Ending
    from opperf.watching.matching import NumberPattern


@dataclass(frozen=True, kw_only=True)
class TaskSession:
    """How a run of a task ended, and its metrics: those of the log, then what it took."""

    ending: Ending
    metrics: tuple[Metric, ...]

    @property
    def seconds(self) -> float:
        """From its start to its end."""
        return self.ending.seconds


def run_session(
    task: ScriptTask, command: WatchCommand, path: Path, timeout: float | None = None
) -> TaskSession:
    """Run the command of a task once.

    Args:
        task: whose metrics are found in the log.
        command: what is run.
        path: where the log goes; it is removed where the run was a success, else kept.
        timeout: in place of the task's own.

    Raises:
        UsageError: the command cannot be started, or the log not be written.
    """
    command.check()
    patterns = task.patterns()
    log = RotatedLog(path)
    options = WatchOptions(
        timeout=timeout or task.timeout, log=log, on_lines=lambda lines: take_lines(patterns, lines)
    )
    keep = True
    try:
        found = session_of(task, watch(command, options), patterns)
        keep = found.ending.status != "ok"
    finally:
        if keep:
            log.close()
        else:
            log.remove()
    return found


def session_of(task: ScriptTask, ending: Ending, patterns: list[NumberPattern]) -> TaskSession:
    """Return what a run amounts to: a success has all of its metrics, within their bounds."""
    pairs = zip(task.metrics, patterns, strict=True)
    own = [computed(metric, pattern) for metric, pattern in pairs]
    metrics = (*own, *ending.usage.metrics())
    if ending.status == "ok":
        faults = [f"metric {metric.name!r}: {metric.reason}" for metric in own if metric.reason]
        ending = replace(ending, status="failed", reason=faults[0]) if faults else ending
    if ending.status == "ok":
        time = Metric(name="time", unit="s", value=ending.seconds)
        broken = [*broken_bounds(task, [time, *metrics])]
        ending = (
            replace(ending, status="wrong_result", reason="; ".join(broken)) if broken else ending
        )
    return TaskSession(ending=ending, metrics=metrics)


def computed(metric: LogMetric, pattern: NumberPattern) -> Metric:
    """Return a metric of a log, or why it has no value."""
    count, fewest = len(pattern.values), FEWEST.get(metric.method, 1)
    value, reason = None, pattern.fault
    if reason is None and count < fewest:
        found = "nothing" if count == 0 else f"{count} numbers, {metric.method} needs {fewest}"
        reason = f"pattern {quote(metric.pattern)} found {found} in the log"
    if reason is None:
        value = float(METHODS[metric.method](pattern.values))
    return Metric(
        name=metric.name, unit=metric.unit, value=value, better=metric.better, per="run",
        reason=reason,
    )  # fmt: skip


def broken_bounds(task: ScriptTask, metrics: list[Metric]) -> Iterator[str]:
    """Yield each bound that a metric breaks; one that is not known breaks none."""
    known = {metric.name: metric.value for metric in metrics}
    for name, least in task.low.items():
        if (value := known.get(name)) is not None and value < least:
            yield f"{name} is {value:g}, below its min {least:g}"
    for name, most in task.high.items():
        if (value := known.get(name)) is not None and value > most:
            yield f"{name} is {value:g}, above its max {most:g}"
