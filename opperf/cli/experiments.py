"""The flags of experiment files, and what they print and write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.output import leaving_early
from opperf.core.errors import UsageError, quote_path
from opperf.networks.experiments.expansion import (
    expand,
    matrix_lines,
    parameter_rows,
    parse_given,
)
from opperf.networks.log_lines import lines_of, read_log, write_lines
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.core.results.result import Result
    from opperf.networks.experiments.command import Experiment
    from opperf.networks.experiments.expansion import ExperimentMatrix

LONGEST_FIRST = 10_000
"""Characters of a log's first line."""


def add_experiments(parser: ArgumentParser) -> None:
    """Add the flags of experiment files."""
    parser.add_argument(
        "--experiments", metavar="FILE",
        help="measure the matrix of runs of an experiment file (.toml, .yaml, .json)",
    )  # fmt: skip
    parser.add_argument(
        "-P", dest="given", action="append", default=[], metavar="NAME=VALUE",
        help="a parameter of the experiment file, such as exp.replica_batch=[8,16]",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="print the runs and their commands, measure nothing"
    )
    parser.add_argument(
        "--list-parameters", action="store_true", help="say which parameters files may set"
    )


def matrix_of(arguments: Namespace) -> ExperimentMatrix | None:
    """Return the runs of the experiment file that is asked for, None where none is.

    Raises:
        UsageError: Something of it is wrong, or there is none and it is spoken of.
    """
    if arguments.experiments is not None:
        return expand(Path(arguments.experiments), parse_given(arguments.given))
    for flag, value in (("-P", arguments.given), ("--dry-run", arguments.dry_run)):
        if value:
            raise UsageError(f"{flag}: is for a file of --experiments")
    return None


def print_dry_run(matrix: ExperimentMatrix) -> None:
    """Print the matrix as a table, and each run as a command."""
    with leaving_early():
        for line in matrix_lines(matrix.experiments):
            sys.stdout.write(f"{line}\n")


def print_parameters(arguments: Namespace) -> None:
    """Print the parameters that every experiment has."""
    with leaving_early():
        print_rows(parameter_rows(), arguments.format, sys.stdout)


def write_log(experiment: Experiment, result: Result) -> None:
    """Write a run's parameters and log lines to the file that its exp.log_file names."""
    if not experiment.log_file:
        return
    path = Path(experiment.log_file)
    lines = [*write_lines(dict(experiment.parameters)), *lines_of(result)]
    try:
        check_log(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"exp.log_file {quote_path(path)}: {reason}") from error


def check_log(path: Path) -> None:
    """Refuse to replace what is no log: a file of experiments may come from somebody else."""
    if path.suffix != ".log":
        raise UsageError("must end with .log")
    if path.exists():
        with path.open(encoding="utf-8", errors="replace") as file:
            if not read_log([file.readline(LONGEST_FIRST)]).values:
                raise UsageError("is there already, and is no log of an experiment")
