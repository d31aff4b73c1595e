"""What a task's run shows and writes: its metrics, the flat file, and why it failed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.output import PIPED, Output
from opperf.cli.tasks.watched import tell_ending
from opperf.core.disk import write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.reporting.metrics import value_rows
from opperf.reporting.printing import print_rows
from opperf.reporting.subjects import Run
from opperf.reporting.text import clean, columns
from opperf.storing import StorageError
from opperf.storing.document import parse
from opperf.tasks.file import read_sections
from opperf.tasks.flat import is_flat
from opperf.tasks.section import task_from

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.storing import RunDirectory
    from opperf.tasks.session import TaskSession

LARGEST = 2**20
"""Bytes of a file of metrics that a task replaces."""


@dataclass(frozen=True)
class TasksOutput(Output):
    """The metrics of each run of a task on stdout; other forms as of any run."""

    def print(self, run: Run) -> None:
        """Print the results on stdout."""
        if self.form != "table":
            super().print(run)
            return
        for result in run.results:
            print(f"{result.operator.name}, {run.name}")
            print_rows(value_rows(result), "table", sys.stdout, width=columns(sys.stdout, PIPED))
            if result.reason:
                say(f"{result.operator.name}: {result.status}: {clean(result.reason)}")


def print_tasks(arguments: Namespace) -> int:
    """Print each task of the file, and what is wrong with one that cannot be run."""
    rows: list[dict[str, object]] = []
    for name, section in read_sections(Path(arguments.config)).items():
        fault = None
        try:
            task_from(name, section)
        except UsageError as error:
            fault = str(error)
        rows.append(
            {
                "task": name,
                "num_gpus": section.get("num_gpus"),
                "command": section.get("command_to_execute"),
                "fault": fault,
            }
        )
    if not rows:
        say(f"{quote_path(arguments.config)} has no tasks")
        return EMPTY
    with leaving_early():
        print_rows(rows, arguments.format, sys.stdout)
    return 0


def check_flat(path: Path) -> None:
    """Refuse a file of metrics that cannot be written, or would replace something else."""
    shown = quote_path(path)
    if not path.parent.is_dir():
        raise UsageError(f"--output-file {shown}: there is no directory {quote_path(path.parent)}")
    if not path.exists():
        return
    try:
        known = path.is_file() and path.stat().st_size <= LARGEST
        known = known and is_flat(parse(path.read_bytes()))
    except (OSError, UsageError):
        known = False
    if not known:
        raise UsageError(f"--output-file {shown}: exists and holds no task's metrics; name another")


def write_flat(path: Path, data: bytes) -> None:
    """Write the file of metrics, whole or not at all."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise StorageError(f"cannot write {quote_path(path)}: {error.strerror}") from error


def report(
    result: Result,
    sessions: Sequence[TaskSession],
    directory: RunDirectory,
    arguments: Namespace,
) -> None:
    """Print the metrics of a task; say why it failed, and where its log is."""
    ending = sessions[-1].ending
    if arguments.format == "table":
        with leaving_early():
            print_rows(value_rows(result), "table", sys.stdout, width=columns(sys.stdout, PIPED))
    else:
        Output(arguments.format, None, None, quiet=True).show(
            Run(name=directory.label, results=[result])
        )
    if ending.status != "ok":
        path = quote_path(log_of(directory, len(sessions)))
        say(f"{result.operator.name}: {ending.status}: {ending.reason}; log: {path}")
    tell_ending(result.operator.name, ending, quiet=arguments.quiet)
    if not arguments.quiet:
        say(f"results: {directory.results_path}")


def log_of(directory: RunDirectory, number: int) -> Path:
    """Return where the log of a run goes."""
    return directory.path / "logs" / f"{number:04d}.log"
