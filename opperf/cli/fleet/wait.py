"""Wait for a submission, and print what it found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.arranging import add_arrangement
from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.options import add_format, add_options, add_output_format, configuration_of
from opperf.cli.fleet.asking import await_jobs
from opperf.cli.fleet.common import fleet_store
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add which one, and where its results go."""
    parser.add_argument(
        "submission", metavar="SUBMISSION", nargs="?", default="last",
        help="its name, or last (default: %(default)s)",
    )  # fmt: skip
    add_options(parser, ["runs_dir", "store"])
    add_format(parser, Run)
    add_arrangement(parser)
    add_output_format(parser)
    parser.add_argument("--output-file", metavar="FILE", help="write all results there as well")
    parser.add_argument("--force", action="store_true", help="replace an existing --output-file")
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")


def execute(arguments: Namespace) -> int:
    """Wait as `opperf run --fleet` does."""
    store = fleet_store(arguments)
    from opperf.cli.fleet.outcome import output_of, show_outcome
    from opperf.fleet.client.progress import find_submission
    from opperf.fleet.store import changing

    with changing(store) as connection:
        name = find_submission(connection, arguments.submission)
    output = output_of(store, name, arguments)
    if not await_jobs(store, name, quiet=arguments.quiet):
        return INTERRUPTED
    return show_outcome(store, name, output, Path(configuration_of(arguments)["runs_dir"].value))
