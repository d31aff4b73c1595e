"""What a comparison of a script task runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.tasks.named import named_task
from opperf.cli.tasks.watched import time_limit
from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.task_job import TaskJob
from opperf.core.errors import UsageError, unknown
from opperf.tasks.file import read_sections
from opperf.tasks.section import USAGE, task_from

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.tasks.task import ScriptTask


def task_compared(arguments: Namespace) -> TaskJob:
    """Return the task that the command line names.

    Raises:
        UsageError: there is none, or it has no such metric.
    """
    task, num_gpus = named_task(arguments, arguments.task)
    refuse_unknown(task, arguments.metric)
    return TaskJob(task=task, num_gpus=num_gpus, timeout=time_limit(arguments))


def prepare_task(
    arguments: Namespace, job: TaskJob, arms: Mapping[str, ArmSpec]
) -> tuple[list[TaskJob], dict[str, Any]]:
    """Return what is compared, checked in both arms, and what the manifest says of it."""
    for arm in arms.values():
        job.task.watch_command(job.num_gpus, arm.variables, arm.python).check()
    about = {
        "task": dict(read_sections(Path(arguments.config))[job.task.name]),
        "task_name": job.task.name,
        "num_gpus": job.num_gpus,
        "time_limit": job.timeout,
    }
    return [job], about


def stored_task(manifest: Mapping[str, Any]) -> list[TaskJob]:
    """Return what the comparison of a manifest runs."""
    task = task_from(manifest["task_name"], manifest["task"])
    return [TaskJob(task=task, num_gpus=manifest["num_gpus"], timeout=manifest["time_limit"])]


def refuse_unknown(task: ScriptTask, name: str) -> None:
    """Refuse a metric that a task has not."""
    names = dict.fromkeys([TIME, *(metric.name for metric in task.metrics), *USAGE])
    if name not in names:
        raise UsageError(unknown("metric", name, names))
