"""The log files of experiments: what ran and what came of it, a line each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.networks.log_lines import lines_of, read_log
from opperf.planning.due import job_of_task, row_of_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.planning.task import Task

FIRST = 10_000
"""Characters of a log's first line that are looked at."""


def check_log(name: str) -> None:
    """Refuse a file that is not to be replaced: a file of experiments may be somebody else's.

    Raises:
        UsageError: It is no log, or cannot be read.
    """
    path = Path(name)
    if not name:
        return
    try:
        if path.suffix != ".log":
            raise UsageError(f"exp.log_file {quote_path(path)}: must end with .log")
        if path.exists():
            with path.open(encoding="utf-8", errors="replace") as file:
                first = file.readline(FIRST)
            if not read_log([first]).values:
                said = "is there already, and is no log of an experiment"
                raise UsageError(f"exp.log_file {quote_path(path)}: {said}")
    except OSError as error:
        raise UsageError(f"exp.log_file {quote_path(path)}: {error.strerror}") from error


def write_logs(tasks: Sequence[Task], names: Sequence[str], results: Sequence[Result]) -> None:
    """Write the log of each task that has one, of its last session.

    Raises:
        UsageError: A file cannot be written; says which.
    """
    by_row: Mapping[object, Result] = {row_of_result(result): result for result in results}
    for task, name in zip(tasks, names, strict=False):
        found = [by_row.get((*job_of_task(task), *row)) for row in task.rows]
        for result in filter(None, found if name else []):
            write_log(Path(name), lines_of(result))


def write_log(path: Path, lines: Sequence[str]) -> None:
    """Write the lines of a log."""
    check_log(str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"exp.log_file {quote_path(path)}: {error.strerror}") from error
