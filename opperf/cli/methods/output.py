"""What is shown of methods that run: their summaries, their rows, and what went wrong."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.output import PIPED, Output
from opperf.cli.methods.plot import plot_samples
from opperf.cli.tasks.watched import tell_ending
from opperf.core.errors import quote_path
from opperf.measuring.worker.log import harmless
from opperf.methods.process_info import NAME as PROCESS_INFO
from opperf.methods.run import LOG
from opperf.methods.summary import SummaryLabels, write_summary
from opperf.reporting.methods import method_rows
from opperf.reporting.printing import print_rows
from opperf.reporting.subjects import Run
from opperf.reporting.text import columns

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.cli.methods.surroundings import Workspace
    from opperf.core.results.result import Result
    from opperf.methods.process import Surroundings
    from opperf.methods.run import MethodRun
    from opperf.storing import RunDirectory


def show_lines(data: bytes) -> None:
    """Print what a method prints, nothing in it that a terminal would obey."""
    for line in harmless(data).splitlines():
        say(f"| {line}")


def how_it_ran(run: MethodRun, surroundings: Surroundings) -> str:
    """Return one line about the process of a method."""
    ending, usage = run.ending, run.ending.usage
    facts = {
        "python": surroundings.python,
        "python paths": os.pathsep.join(surroundings.python_paths) or "-",
        "variables": " ".join(surroundings.variables or ()) or "-",
        "folder": run.folder,
        "seconds": f"{ending.seconds:.2f}",
        "end": ending.signal or ending.exit_status,
        "samples": usage.rss.count,
        "watching took": f"{usage.watch_share or 0:.2%} of a core",
    }
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def tell(
    run: MethodRun, surroundings: Surroundings, arguments: Namespace, workspace: Workspace
) -> None:
    """Write the summary, print it where it is asked for, and say what went wrong."""
    summary = write_summary(
        run,
        SummaryLabels(
            execution_label=arguments.execution_label,
            system_name=arguments.system_name,
            platform_name=arguments.platform_name,
            build_label=arguments.build_label,
            python_paths=[*surroundings.python_paths, *workspace.checkouts],
            edited=workspace.edited,
            output_url=workspace.url_of(run.folder),
        ),
    )
    if arguments.summary or arguments.format is None:
        indent = None if arguments.summary else 2
        with leaving_early():
            print(json.dumps(summary, indent=indent, allow_nan=False), flush=True)
    if arguments.plot:
        samples = run.folder / PROCESS_INFO
        plot_samples(samples, samples.with_suffix(".pdf"))
    log = quote_path(run.folder / LOG)
    if run.verdict.status != "ok":
        say(f"{run.name}: {run.verdict.status}: {run.verdict.reason}; log: {log}")
    if run.answered.reports > 1 and not arguments.quiet:
        say(f"{run.name}: reported {run.answered.reports} times; the last one counts")
    if arguments.debug:
        say(f"debug: {how_it_ran(run, surroundings)}")
    tell_ending(run.name, run.ending, quiet=arguments.quiet)


def show(results: Sequence[Result], directory: RunDirectory, arguments: Namespace) -> None:
    """Print all results, unless the summaries have been."""
    if arguments.format is not None and not arguments.summary:
        with leaving_early():
            if arguments.format == "table":
                width = columns(sys.stdout, PIPED)
                print_rows(
                    method_rows(results), "table", sys.stdout, width=width,
                    keep=("method", "status", "wall_time"), times=("wall_time",),
                )  # fmt: skip
            else:
                Output(arguments.format, None, None, quiet=True).print(
                    Run(name=directory.label, results=[*results])
                )
    if not arguments.quiet:
        say(f"results: {directory.results_path}")
