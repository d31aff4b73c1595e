"""Run methods of benchmark classes, each in a fresh process, and judge them by their metrics."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.conduct import INTERRUPTED, exit_code, put_into
from opperf.cli.containers import add_container, print_container, wants_container
from opperf.cli.options import (
    add_format,
    add_options,
    command_line,
    configuration_of,
    parse_variables,
    refuse_half_characters,
)
from opperf.cli.output import PIPED, Output, leaving_early, say
from opperf.cli.stores import named_store
from opperf.cli.surroundings import add_surroundings, prepare_workspace
from opperf.core.errors import UsageError, quote_path
from opperf.core.units import parse_seconds
from opperf.measuring.campaign import Labels
from opperf.methods.choice import find_methods, split_names
from opperf.methods.process import Surroundings
from opperf.methods.record import record_of
from opperf.methods.run import LOG, run_method
from opperf.methods.summary import SummaryLabels, write_summary
from opperf.reporting.methods import method_rows
from opperf.reporting.printing import print_rows
from opperf.reporting.subjects import Run
from opperf.reporting.text import columns
from opperf.storing import Journal, RunDirectory
from opperf.storing.manifest import METHOD_RUN

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.cli.surroundings import Workspace
    from opperf.core.results.result import Result
    from opperf.methods.run import MethodRun

DATA = "/data"
OUTPUT = "output"
"""The folder of a run in which each method has one."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "methods", nargs="+", metavar="METHOD",
        help="package.module.Class.method, or package.module.Class.filter:REGEX; several, also "
        "between commas",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="say which methods are meant")
    parser.add_argument(
        "--output-dir", metavar="DIR",
        help="where each method gets a folder of its own (default: in the run's folder)",
    )  # fmt: skip
    parser.add_argument(
        "--data-dir", "--root-data-dir", metavar="DIR", default=DATA,
        help="where the data sets lie, for the constructor (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--python-path", action="append", default=[], metavar="DIR",
        help="a folder of modules before all others",
    )  # fmt: skip
    parser.add_argument(
        "--time-limit", metavar="TIME",
        help="end a method and all that it has started after so long, as in 10m",
    )  # fmt: skip
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE",
        help="an environment variable of the methods' processes",
    )  # fmt: skip
    for name, what in (
        ("execution-label", "this execution"), ("system-name", "this machine"),
        ("platform-name", "this platform"), ("build-label", "the build of the framework"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", metavar="TEXT", help=f"what the summary calls {what}")
    parser.add_argument("--tag", action="append", default=[], help="a label of every record")
    parser.add_argument(
        "--summary", action="store_true", help="print each method's summary as JSON, one a line"
    )
    add_format(parser, Run)
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit 0 whatever becomes of the methods"
    )
    add_surroundings(parser)
    add_options(parser, ["runs_dir", "store"])
    add_container(parser)


def execute(arguments: Namespace) -> int:
    """Find all methods first, then run one after the other, and report."""
    refuse_half_characters(arguments.given)
    workspace = prepare_workspace(arguments)
    surroundings = surroundings_of(arguments)
    if wants_container(arguments):
        data = [arguments.data_dir] if Path(arguments.data_dir).is_dir() else []
        others = [arguments.output_dir, arguments.runs_dir, arguments.store]
        return print_container("method", arguments, [*data, *arguments.python_path, *others])
    names = find_methods(split_names(arguments.methods), surroundings)
    if arguments.list:
        with leaving_early():
            print_rows([{"method": name} for name in names], arguments.format, sys.stdout)
        return 0
    configuration = configuration_of(arguments)
    store = named_store(configuration)
    command = command_line("method", arguments.given)
    manifest = {
        "kind": METHOD_RUN,
        "command": command,
        "tags": arguments.tag,
        "variables": surroundings.variables,
        "methods": names,
        "data_dir": arguments.data_dir,
        "python_paths": [*surroundings.python_paths],
        "timeout": surroundings.timeout,
    }
    directory = RunDirectory.create(Path(configuration["runs_dir"].value), manifest)
    labels = Labels(run_id=directory.run_id, command=command, tags=tuple(arguments.tag))
    results: list[Result] = []
    interrupted = False
    with Journal(directory.results_path) as journal:
        try:
            for name in names:
                run = run_one(name, surroundings, directory, arguments)
                result = record_of(run, labels)
                journal.append([result])
                results.append(result)
                tell(run, result, arguments, workspace)
                workspace.upload(run.folder)
        except KeyboardInterrupt:
            interrupted = True
    show(results, directory, arguments)
    if store is not None and results:
        put_into(store, directory, quiet=arguments.quiet)
    if interrupted:
        say(f"interrupted; nothing of {names[len(results)]} is left running")
        return INTERRUPTED
    return exit_code(results) or workspace.exit_code


def surroundings_of(arguments: Namespace) -> Surroundings:
    """Return what the processes of the methods have.

    Raises:
        UsageError: a folder is none, or the time is no time.
    """
    for folder in arguments.python_path:
        if not Path(folder).is_dir():
            raise UsageError(f"--python-path {quote_path(folder)}: there is no such directory")
    return Surroundings(
        python_paths=[str(Path(folder).absolute()) for folder in arguments.python_path],
        variables=parse_variables(arguments.env),
        timeout=parse_seconds(arguments.time_limit) if arguments.time_limit else None,
    )


def run_one(
    name: str, surroundings: Surroundings, directory: RunDirectory, arguments: Namespace
) -> MethodRun:
    """Run one method, and say so."""
    if not arguments.quiet:
        say(f"{name}: running")
    output = Path(arguments.output_dir) if arguments.output_dir else directory.path / OUTPUT
    return run_method(name, output.absolute(), arguments.data_dir, surroundings)


def tell(run: MethodRun, result: Result, arguments: Namespace, workspace: Workspace) -> None:
    """Write the summary, print it where it is asked for, and say what went wrong."""
    summary = write_summary(
        run,
        SummaryLabels(
            execution_label=arguments.execution_label,
            system_name=arguments.system_name,
            platform_name=arguments.platform_name,
            build_label=arguments.build_label,
            python_paths=[*arguments.python_path, *workspace.checkouts],
            output_url=workspace.url_of(run.folder),
        ),
    )
    if arguments.summary:
        with leaving_early():
            print(json.dumps(summary, allow_nan=False), flush=True)
    log = quote_path(run.folder / LOG)
    if result.status != "ok":
        say(f"{run.name}: {result.status}: {result.reason}; log: {log}")
    if run.answered.reports > 1 and not arguments.quiet:
        say(f"{run.name}: reported {run.answered.reports} times; the last one counts")
    if run.ending.log_fault:
        say(f"{log} is not whole: {run.ending.log_fault}")
    if run.ending.outliving and not arguments.quiet:
        said = f"{run.ending.outliving} processes that it had started outlived it and were ended"
        say(f"{run.name}: {said}")


def show(results: Sequence[Result], directory: RunDirectory, arguments: Namespace) -> None:
    """Print all results, unless the summaries have been."""
    if not arguments.summary:
        with leaving_early():
            if arguments.format == "table":
                width = columns(sys.stdout, PIPED)
                print_rows(method_rows(results), "table", sys.stdout, width=width)
            else:
                Output(arguments.format, None, None, quiet=True).print(
                    Run(name=directory.label, results=[*results])
                )
    if not arguments.quiet:
        say(f"results: {directory.results_path}")
