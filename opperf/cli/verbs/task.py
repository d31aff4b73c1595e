"""Run a script task: a command under watch, the metrics of its log, and what it takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.messages import say
from opperf.cli.common.options import refuse_half_characters
from opperf.cli.fleet.asking import add_fleet, refuse_beside_fleet
from opperf.cli.running.conduct import exit_code
from opperf.cli.running.estimates import add_dry_run
from opperf.cli.tasks.containers import print_container, wants_container
from opperf.cli.tasks.named import named_task
from opperf.cli.tasks.output import check_flat, log_of, print_tasks, report, write_flat
from opperf.cli.tasks.plans import print_task_plan
from opperf.cli.tasks.watched import add_runs, begin_run, time_limit, variables_of
from opperf.core.errors import UsageError, quote, quote_path
from opperf.storing import Journal, StorageError
from opperf.storing.manifest import TASK_RUN
from opperf.tasks.file import NAME as TASKS_FILE
from opperf.tasks.file import read_sections
from opperf.tasks.flat import NAME as FLAT_FILE
from opperf.tasks.flat import flat_values, to_json
from opperf.tasks.record import record_of
from opperf.tasks.session import run_session

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from opperf.storing import RunDirectory
    from opperf.tasks.session import TaskSession
    from opperf.tasks.task import ScriptTask
    from opperf.watching.command import WatchCommand


WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,99}")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("task", metavar="TASK", nargs="?", help="a section of the tasks file")
    parser.add_argument("--task-name", metavar="TASK", help="the same, as a flag")
    parser.add_argument("--list-tasks", action="store_true", help="say which tasks there are")
    add_task(parser)
    parser.add_argument(
        "--framework", dest="prefix", metavar="F", default="", help="what stands before each metric"
    )
    parser.add_argument(
        "--metrics-suffix", metavar="S", default="", help="what stands behind each metric"
    )
    parser.add_argument(
        "--output-file", metavar="FILE", default=FLAT_FILE,
        help=f"where the metrics go as one flat JSON object (default: {FLAT_FILE})",
    )  # fmt: skip
    add_dry_run(parser)
    add_runs(parser, "table", "table")
    add_fleet(parser)


def add_task(parser: ArgumentParser) -> None:
    """Add what says how a task is run, here and in comparisons."""
    parser.add_argument(
        "--config", metavar="FILE", default=TASKS_FILE,
        help=f"the tasks file (default: {TASKS_FILE})",
    )  # fmt: skip
    parser.add_argument(
        "--num-gpus", type=int, metavar="N",
        help="how many GPUs the command is told to use (default: as its section says)",
    )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Check everything, run the command as often as is asked, and report."""
    refuse_half_characters(arguments.given)
    refuse_beside_fleet(arguments, ())
    if arguments.list_tasks:
        return print_tasks(arguments)
    task, num_gpus = named_task(arguments, arguments.task_name or arguments.task)
    if wants_container(arguments):
        return print_container("task", arguments, num_gpus)
    variables = variables_of(arguments)
    affixes = {"framework": arguments.prefix, "metrics-suffix": arguments.metrics_suffix}
    for flag, word in affixes.items():
        if word and not WORD.fullmatch(word):
            raise UsageError(f"--{flag} {quote(word)}: must be letters, digits, _ and -")
    command = task.watch_command(num_gpus, variables)
    if arguments.fleet and not arguments.dry_run:
        from opperf.cli.fleet.scripts import run_task_on_fleet

        return run_task_on_fleet(arguments, task)
    command.check()
    path = Path(arguments.output_file)
    check_flat(path)
    if arguments.dry_run:
        return print_task_plan(command, arguments)
    run = begin_run(
        "task",
        TASK_RUN,
        arguments,
        {
            "variables": variables,
            "task": dict(read_sections(Path(arguments.config))[task.name]),
            "task_name": task.name,
            "num_gpus": num_gpus,
            "sessions": arguments.sessions,
        },
    )
    directory = run.directory
    path.unlink(missing_ok=True)
    try:
        sessions = [*run_all(task, command, directory, arguments)]
    except KeyboardInterrupt:
        say(f"interrupted; nothing of {task.name} is left running; its log: {directory.path}/logs")
        say(f"nothing to resume: a task's runs are judged together; again: {run.labels.command}")
        return INTERRUPTED
    result = record_of(task, sessions, num_gpus, arguments.prefix, run.labels)
    with Journal(directory.results_path) as journal:
        journal.append([result])
    if all(metric.reason is None for metric in sessions[-1].metrics[: len(task.metrics)]):
        names = [metric.name for metric in task.metrics]
        values = flat_values(
            result.metrics, names, task.name, arguments.prefix, arguments.metrics_suffix
        )
        write_flat(path, to_json(values))
    report(result, sessions, directory, arguments)
    run.keep(quiet=arguments.quiet)
    return exit_code([result])


def run_all(
    task: ScriptTask, command: WatchCommand, directory: RunDirectory, arguments: Namespace
) -> Iterator[TaskSession]:
    """Yield each run of the command, up to the first that is no success."""
    timeout = time_limit(arguments)
    logs = directory.path / "logs"
    try:
        logs.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {quote_path(logs)}: {error.strerror}") from error
    for number in range(1, arguments.sessions + 1):
        path = log_of(directory, number)
        if not arguments.quiet:
            said = f"{task.name}: run {number} of {arguments.sessions}"
            say(f"{said}, log: {quote_path(path)} (removed if it works)")
        found = run_session(task, command, path, timeout)
        yield found
        if found.ending.status != "ok":
            return
    try:
        logs.rmdir()
    except OSError:
        return
