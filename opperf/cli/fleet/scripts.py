"""`opperf task --fleet`: one job, with the tasks file beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.options import command_line, configuration_of
from opperf.cli.fleet.asking import ask_fleet
from opperf.cli.fleet.running import LEASE_MARGIN, await_outcome
from opperf.cli.fleet.words import flags_of
from opperf.cli.tasks.output import TasksOutput
from opperf.cli.tasks.watched import time_limit
from opperf.core.errors import UsageError, quote
from opperf.tasks.flat import NAME as FLAT_FILE

if TYPE_CHECKING:
    from argparse import Namespace

    from opperf.fleet.client.submission import JobRequest
    from opperf.tasks.task import ScriptTask

LONGEST = 4 * 3600.0
"""Seconds that a task may take where neither its section nor --time-limit says how long."""
TASKS_FILE = "tasks.cfg"
"""What the tasks file is called in a job's folder."""


def run_task_on_fleet(arguments: Namespace, task: ScriptTask) -> int:
    """Have a host of each kind run a task's command, wait, and show what it found.

    Raises:
        UsageError: What is asked for is of this machine alone.
    """
    if arguments.output_file != FLAT_FILE:
        raise UsageError(
            f"--output-file {quote(arguments.output_file)}: holds one run, and a fleet makes one a "
            "kind; opperf fleet wait SUBMISSION --output-file FILE writes all"
        )
    if task.directory and not Path(task.directory).is_absolute():
        raise UsageError(
            f"task {task.name}: directory {quote(task.directory)} is of this machine; give the "
            "folder that hosts have, from / on"
        )

    def plan(on: Any) -> list[JobRequest]:
        return [request_of(arguments, task, on)]

    store, name = ask_fleet(arguments, command_line("task", arguments.given), plan)
    output = TasksOutput(arguments.format, None, None, arguments.quiet)
    return await_outcome(arguments, store, name, output)


def request_of(
    arguments: Namespace, task: ScriptTask, on: tuple[tuple[str, str], ...]
) -> JobRequest:
    """Return the job of a task: its frameworks are what its command imports, which nobody knows."""
    from opperf.fleet.client.submission import JobRequest
    from opperf.fleet.jobs.requirement import HostRequirement

    flags = flags_of(arguments, configuration_of(arguments))
    longest = time_limit(arguments) or task.timeout
    return JobRequest(
        title=task.name,
        words=("task", task.name, "--config", TASKS_FILE, *flags, "--quiet"),
        requirement=HostRequirement(on=on),
        seconds=LEASE_MARGIN * longest * arguments.sessions if longest else LONGEST,
        files={TASKS_FILE: Path(arguments.config).read_text(encoding="utf-8")},
    )
