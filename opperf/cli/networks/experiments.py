"""The flags of experiment files, and what each run of the matrix asks of the verb."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import add_options
from opperf.cli.networks.flags import OWN_FLAGS, add_model_flags, folders_of
from opperf.cli.parser import Parser
from opperf.core.errors import UsageError, quote
from opperf.networks.registry import find_entry
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from opperf.networks.experiments.command import Experiment
    from opperf.networks.experiments.expansion import ExperimentMatrix

OPTIONS = ("framework", "device", "dtype")
"""The options that a file says for each run, beside the flags of networks."""


class WordParser(Parser):
    """A parser of a run's arguments, whose errors name what has said them."""

    def error(self, message: str) -> NoReturn:
        """Refuse an argument."""
        raise UsageError(f"{message}{self.nearest(message)}")


def add_experiments(parser: ArgumentParser) -> None:
    """Add the flags of experiment files."""
    parser.add_argument(
        "--experiments", metavar="FILE",
        help="measure the matrix of runs of an experiment file (.toml, .yaml, .json)",
    )  # fmt: skip
    parser.add_argument(
        "-P", dest="given_parameters", action="append", default=[], metavar="NAME=VALUE",
        help="a parameter of the experiment file, such as 'exp.replica_batch=[8,16]'",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true",
        help="say what would be measured and how long it takes; of --experiments the commands",
    )  # fmt: skip
    parser.add_argument(
        "--list-parameters", action="store_true", help="say which parameters files may set"
    )


def matrix_of(arguments: Namespace) -> ExperimentMatrix | None:
    """Return the runs of the experiment file that is asked for, None where none is.

    Raises:
        UsageError: Something of it is wrong, or there is none and it is spoken of.
    """
    if arguments.experiments is None:
        if arguments.given_parameters:
            raise UsageError("-P: is for a file of --experiments")
        return None
    from opperf.networks.experiments.expansion import expand, parse_given

    refuse_flags_of_runs(arguments)
    matrix = expand(Path(arguments.experiments), parse_given(arguments.given_parameters))
    if not arguments.quiet:
        for note in matrix.notes:
            say(note)
    return matrix


def refuse_flags_of_runs(arguments: Namespace) -> None:
    """Refuse flags that the file says for each run: one of the two would be passed over."""
    usual = vars(word_parser().parse_args([]))
    for name, value in usual.items():
        if name not in OWN_FLAGS and getattr(arguments, name) != value:
            raise UsageError(
                f"--{name}: the file of --experiments says it; give -P, such as "
                "-P exp.model=alexnet or -P exp.replica_batch=8"
            )


@cache
def word_parser() -> Parser:
    """Return the parser of a run's arguments."""
    parser = WordParser(add_help=False, allow_abbrev=False)
    add_model_flags(parser)
    add_options(parser, OPTIONS)
    return parser


def arguments_of(experiment: Experiment, arguments: Namespace) -> Namespace:
    """Return the arguments of the verb as a run has them: its own, and what is asked of all.

    Raises:
        UsageError: One is no flag of a network, or has a wrong value.
    """
    parser = word_parser()
    try:
        words = vars(parser.parse_args(experiment.arguments))
    except UsageError as error:
        raise UsageError(f"{experiment.framework}.args: {error}") from None
    usual = vars(parser.parse_args([]))
    if words["framework"] not in {None, experiment.framework}:
        said = quote(words["framework"])
        raise UsageError(f"{experiment.framework}.args: --framework {said}: set exp.framework")
    own = {
        name: value
        for name, value in words.items()
        if name not in OWN_FLAGS or value != usual[name]
    }
    return Namespace(**{**vars(arguments), **own, "framework": experiment.framework})


def runs_of(matrix: ExperimentMatrix, arguments: Namespace) -> Iterator[tuple[Namespace, str]]:
    """Yield the arguments of each run that is to be measured, and where its log goes."""
    for experiment in matrix.experiments:
        if experiment.simulate:
            say(f"exp.status is simulate: {experiment.command}")
        else:
            log = experiment.log_file
            yield arguments_of(experiment, arguments), str(Path(log).absolute()) if log else ""


def print_dry_run(matrix: ExperimentMatrix, arguments: Namespace) -> int:
    """Print the matrix as a table, and each run as a command.

    Raises:
        UsageError: A run has an argument or a network that there is not.
    """
    from opperf.networks.experiments.expansion import matrix_rows

    owns = [arguments_of(experiment, arguments) for experiment in matrix.experiments]
    asked = {(name, own.framework, tuple(folders_of(own))) for own in owns for name in own.model}
    for name, framework, folders in sorted(asked):
        find_entry(name, framework, folders)
    rows, commands = matrix_rows(matrix.experiments), [one.command for one in matrix.experiments]
    if arguments.format != "table":
        rows = [{**row, "command": text} for row, text in zip(rows, commands, strict=True)]
    with leaving_early():
        print_rows(rows, arguments.format, sys.stdout)
        if arguments.format == "table":
            print("", *commands, sep="\n")
    return 0


def print_parameters(arguments: Namespace) -> int:
    """Print the parameters that every experiment has."""
    from opperf.networks.experiments.expansion import parameter_rows

    with leaving_early():
        print_rows(parameter_rows(), arguments.format, sys.stdout)
    return 0
