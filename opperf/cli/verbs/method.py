"""Run methods of benchmark classes, each in a fresh process, and judge them by their metrics."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import refuse_half_characters
from opperf.cli.methods.output import show, show_lines, tell
from opperf.cli.methods.surroundings import add_surroundings, flag_adder, prepare_workspace
from opperf.cli.running.conduct import exit_code
from opperf.cli.running.estimates import add_dry_run
from opperf.cli.tasks.containers import print_container, wants_container
from opperf.cli.tasks.plans import print_method_plan
from opperf.cli.tasks.watched import add_runs, begin_run, time_limit, variables_of
from opperf.core.errors import UsageError
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
    from collections.abc import Iterator, Sequence

    from opperf.cli.methods.surroundings import Workspace
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
    add = flag_adder(parser)
    add(
        "benchmark-methods", action="append", default=[], metavar="METHOD",
        help="the same, as a flag; may be given several times",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="say which methods are meant")
    parser.add_argument(
        "--output-dir", metavar="DIR",
        help="where each method gets a folder of its own (default: in the run's folder)",
    )  # fmt: skip
    add_folders(parser)
    add(
        "profiler-enabled-time", action="append", default=[], metavar="START:END",
        help="when PyTorch's or MXNet's profiler records, in seconds after the method's start; "
        "START: until it ends; several, also between commas (default: never)",
    )  # fmt: skip
    parser.add_argument(
        "--plot", action="store_true", help="draw each process_info.log beside it, as a PDF"
    )
    for name, what in (
        ("execution-label", "this execution"), ("system-name", "this machine"),
        ("platform-name", "this platform"), ("build-label", "the build of the framework"),
    ):  # fmt: skip
        add(name, metavar="TEXT", help=f"what the summary calls {what} (default: null)")
    parser.add_argument(
        "--ml_framework_build_label", dest="build_label", metavar="TEXT",
        help="the last, as PerfZero calls it (default: null)",
    )  # fmt: skip
    parser.add_argument(
        "--summary", action="store_true", help="print each summary on a line of its own"
    )
    parser.add_argument(
        "--debug", action="store_true",
        help="show what methods print as it comes, what they log for debugging as well, and how "
        "they are run (default: from INFO on, in the log only)",
    )  # fmt: skip
    add_dry_run(parser)
    add_surroundings(parser)
    add_runs(parser, None, "each method's summary, as JSON")


def add_folders(parser: ArgumentParser) -> None:
    """Add the folders that methods need, here and in comparisons."""
    add = flag_adder(parser)
    parser.add_argument(
        "--data-dir", "--root-data-dir", "--root_data_dir", metavar="DIR", default=DATA,
        help="where the data sets lie, for a method's constructor (default: %(default)s)",
    )  # fmt: skip
    add(
        "python-path", action="append", default=[], metavar="DIR",
        help="a folder of a method's modules before all others; several, also between commas",
    )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Find all methods first, then run one after the other, and report."""
    refuse_half_characters(arguments.given)
    if wants_container(arguments):
        return print_container("method", arguments)
    if arguments.plot:
        require_plot()
    asked = [*arguments.methods, *arguments.benchmark_methods]
    if not asked:
        raise UsageError(f"name a method, as in --benchmark_methods=NAME; it {FORMS}")
    words = split_names(asked)
    surroundings = surroundings_of(arguments)
    workspace = prepare_workspace(arguments)
    surroundings = replace(surroundings, python_paths=arguments.python_path)
    names = find_methods(words, surroundings)
    if arguments.list or arguments.dry_run:
        return print_methods(names, arguments)
    manifest = {
        "variables": surroundings.variables,
        "methods": names,
        "data_dir": arguments.data_dir,
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
                result = record_of(
                    [*run_all(name, surroundings, directory, arguments, workspace)], run.labels
                )
                journal.append([result])
                results.append(result)
        except KeyboardInterrupt:
            interrupted = True
    show(results, directory, arguments)
    if results:
        run.keep(quiet=arguments.quiet)
    if interrupted:
        say(f"interrupted; nothing of {names[len(results)]} is left running")
        if not results:
            say(f"nothing to resume: no method has ended; again: {run.labels.command}")
        return INTERRUPTED
    return exit_code(results) or workspace.exit_code


def print_methods(names: Sequence[str], arguments: Namespace) -> int:
    """Print which methods are meant, and of a dry run how often each would be run."""
    with leaving_early():
        if arguments.dry_run:
            return print_method_plan(names, arguments)
        form = arguments.format or "table"
        print_rows([{"method": name} for name in names], form, sys.stdout)
    return 0


def surroundings_of(arguments: Namespace) -> Surroundings:
    """Return what the processes of the methods have.

    Raises:
        UsageError: a folder is none, or the time is no time.
    """
    return Surroundings(
        variables=variables_of(arguments),
        timeout=time_limit(arguments),
        windows=[str(window) for window in parse_windows(arguments.profiler_enabled_time)],
        debug=arguments.debug,
        on_lines=show_lines if arguments.debug else None,
    )


def run_all(
    name: str,
    surroundings: Surroundings,
    directory: RunDirectory,
    arguments: Namespace,
    workspace: Workspace,
) -> Iterator[MethodRun]:
    """Yield each run of a method, up to the first that is no success."""
    output = Path(arguments.output_dir) if arguments.output_dir else directory.path / OUTPUT
    for number in range(1, arguments.sessions + 1):
        if not arguments.quiet:
            several = f" {number} of {arguments.sessions}" if arguments.sessions > 1 else ""
            say(f"{name}: running{several}")
        run = run_method(name, output.absolute(), arguments.data_dir, surroundings)
        tell(run, surroundings, arguments, workspace)
        workspace.upload(run.folder)
        yield run
        if not run.verdict.succeeded:
            return
