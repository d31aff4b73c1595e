"""From the runs of a task to one record, which stores and reports serve as any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.environment import collect
from opperf.core.machine.affinity import usable_processors
from opperf.core.results.identity import TASK
from opperf.core.results.outcome import Outcome, Subject
from opperf.watching.repetition import labeled_record, over_runs, with_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.measuring.campaign import Labels
    from opperf.tasks.session import TaskSession
    from opperf.tasks.task import ScriptTask

COMMAND = "command"
"""The framework of a task of which nobody says another."""


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
    labels: Labels,
) -> Result:
    """Return the record of a task's runs, of which the last one may have failed."""
    last = sessions[-1].ending
    outcome = Outcome(
        status=last.status, reason=last.reason, signal=last.signal,
        stderr=(last.tail[-4096:] or None) if last.status != "ok" else None,
        metrics=over_runs([run.metrics for run in sessions]),
    )  # fmt: skip
    if last.status == "ok":
        outcome = with_times(outcome, [run.seconds for run in sessions])
    subject = subject_of(task, num_gpus, framework)
    return labeled_record(subject, outcome, collect(), sessions[0].ending.started_at, labels)
