"""Run methods of benchmark classes, each in a fresh process, and judge them by their metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.conduct import INTERRUPTED, exit_code
from opperf.cli.method_output import show, show_lines, tell
from opperf.cli.options import refuse_half_characters
from opperf.cli.output import leaving_early, say
from opperf.cli.watched import add_runs, begin_run, time_limit, variables_of
from opperf.core.errors import UsageError, quote_path
from opperf.methods.choice import find_methods, split_names
from opperf.methods.lookup import FORMS
from opperf.methods.process import Surroundings
from opperf.methods.record import record_of
from opperf.methods.run import run_method
from opperf.methods.windows import parse_windows
from opperf.reporting.printing import print_rows
from opperf.reporting.process_plot import require as require_plot
from opperf.storing import Journal
from opperf.storing.manifest import METHOD_RUN

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from opperf.core.results.result import Result
    from opperf.methods.run import MethodRun
    from opperf.storing import RunDirectory

DATA = "/data"
OUTPUT = "output"
"""The folder of a run in which each method has one."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "methods", nargs="*", metavar="METHOD",
        help="package.module.Class.method, or package.module.Class.filter:REGEX; several, also "
        "between commas",
    )  # fmt: skip
    parser.add_argument(
        *spellings("benchmark_methods"), action="append", default=[], metavar="METHOD",
        help="the same, as a flag; may be given several times",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="say which methods are meant")
    parser.add_argument(
        "--output-dir", metavar="DIR",
        help="where each method gets a folder of its own (default: in the run's folder)",
    )  # fmt: skip
    add_folders(parser)
    parser.add_argument(
        *spellings("profiler_enabled_time"), action="append", default=[], metavar="START:END",
        help="when PyTorch's or MXNet's profiler records, in seconds after the method's start; "
        "START: until it ends; several, also between commas (default: never)",
    )  # fmt: skip
    parser.add_argument(
        "--plot", action="store_true", help="draw each process_info.log beside it, as a PDF"
    )
    for names, what in (
        (["execution_label"], "this execution"), (["system_name"], "this machine"),
        (["platform_name"], "this platform"),
        (["build_label", "ml_framework_build_label"], "the build of the framework"),
    ):  # fmt: skip
        parser.add_argument(
            *(flag for name in names for flag in spellings(name)), metavar="TEXT",
            help=f"what the summary calls {what} (default: null)",
        )  # fmt: skip
    parser.add_argument(
        "--summary", action="store_true", help="print each summary on a line of its own"
    )
    parser.add_argument(
        "--debug", action="store_true",
        help="show what methods print as it comes, what they log for debugging as well, and how "
        "they are run (default: from INFO on, in the log only)",
    )  # fmt: skip
    add_runs(parser, None, "each method's summary, as JSON")


def add_folders(parser: ArgumentParser) -> None:
    """Add the folders that methods need, here and in comparisons."""
    parser.add_argument(
        "--data-dir", *spellings("root_data_dir"), metavar="DIR",
        help=f"where the data sets lie, for a method's constructor (default: {DATA})",
    )  # fmt: skip
    parser.add_argument(
        *spellings("python_path"), action="append", default=[], metavar="DIR",
        help="a folder of a method's modules before all others; several, also between commas",
    )  # fmt: skip


def spellings(name: str) -> tuple[str, ...]:
    """Return a flag as opperf writes it, and as PerfZero does."""
    return tuple(dict.fromkeys((f"--{name.replace('_', '-')}", f"--{name}")))


def execute(arguments: Namespace) -> int:
    """Find all methods first, then run one after the other, and report."""
    refuse_half_characters(arguments.given)
    if arguments.plot:
        require_plot()
    surroundings = surroundings_of(arguments)
    asked = [*arguments.methods, *arguments.benchmark_methods]
    if not asked:
        raise UsageError(f"name a method, as in --benchmark_methods=NAME; it {FORMS}")
    names = find_methods(split_names(asked), surroundings)
    if arguments.list:
        with leaving_early():
            form = arguments.format or "table"
            print_rows([{"method": name} for name in names], form, sys.stdout)
        return 0
    manifest = {
        "variables": surroundings.variables,
        "methods": names,
        "data_dir": data_dir_of(arguments),
        "python_paths": [*surroundings.python_paths],
        "timeout": surroundings.timeout,
        "sessions": arguments.sessions,
        "windows": [*surroundings.windows],
    }
    run = begin_run("method", METHOD_RUN, arguments, manifest)
    directory = run.directory
    results: list[Result] = []
    interrupted = False
    with Journal(directory.results_path) as journal:
        try:
            for name in names:
                result = record_of([*run_all(name, surroundings, directory, arguments)], run.labels)
                journal.append([result])
                results.append(result)
        except KeyboardInterrupt:
            interrupted = True
    show(results, directory, arguments)
    if results:
        run.keep(quiet=arguments.quiet)
    if interrupted:
        say(f"interrupted; nothing of {names[len(results)]} is left running")
        return INTERRUPTED
    return exit_code(results)


def surroundings_of(arguments: Namespace) -> Surroundings:
    """Return what the processes of the methods have.

    Raises:
        UsageError: a folder is none, or the time is no time.
    """
    return Surroundings(
        python_paths=python_paths_of(arguments),
        variables=variables_of(arguments),
        timeout=time_limit(arguments),
        windows=[str(window) for window in parse_windows(arguments.profiler_enabled_time)],
        debug=arguments.debug,
        on_lines=show_lines if arguments.debug else None,
    )


def data_dir_of(arguments: Namespace) -> str:
    """Return where the data sets lie."""
    return arguments.data_dir or DATA


def python_paths_of(arguments: Namespace) -> list[str]:
    """Return the folders of modules, each of its own flag or between commas.

    Raises:
        UsageError: one is none.
    """
    folders = [
        name
        for text in arguments.python_path
        for name in ([text] if Path(text).is_dir() else text.split(","))
        if name
    ]
    for folder in folders:
        if not Path(folder).is_dir():
            raise UsageError(f"--python-path {quote_path(folder)}: there is no such directory")
    return [str(Path(folder).absolute()) for folder in folders]


def run_all(
    name: str, surroundings: Surroundings, directory: RunDirectory, arguments: Namespace
) -> Iterator[MethodRun]:
    """Yield each run of a method, up to the first that is no success."""
    output = Path(arguments.output_dir) if arguments.output_dir else directory.path / OUTPUT
    for number in range(1, arguments.sessions + 1):
        if not arguments.quiet:
            several = f" {number} of {arguments.sessions}" if arguments.sessions > 1 else ""
            say(f"{name}: running{several}")
        run = run_method(name, output.absolute(), data_dir_of(arguments), surroundings)
        tell(run, surroundings, arguments)
        yield run
        if not run.verdict.succeeded:
            return
