"""Write the results of a run for other programs: as tables, records, or in other tools' formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.arranging import add_only, in_states, states_of
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.filtering import facts_filter, matching
from opperf.cli.common.finding import find_run
from opperf.cli.common.messages import say
from opperf.cli.common.options import add_filter, add_options, add_output_format
from opperf.cli.common.output import check_writable, file_form, write_file
from opperf.cli.verbs.show import no_match
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default="last", help="a run's id, a results file, or: last"
    )
    add_filter(parser)
    add_only(parser)
    add_output_format(parser)
    parser.add_argument("--output-file", metavar="FILE", required=True, help="where to")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_options(parser, ["runs_dir", "store"])


def execute(arguments: Namespace) -> int:
    """Write what the filter leaves of the run."""
    chosen, states = facts_filter(arguments.filter), states_of(arguments.only)
    path = Path(arguments.output_file)
    form = file_form(path, arguments.output_format)
    check_writable(path, force=arguments.force)
    name, found = find_run(arguments, arguments.run)
    results = in_states(matching(found, chosen), states)
    if not results:
        say(no_match(arguments))
        return EMPTY
    write_file(path, form, Run(name=name, results=results))
    say(f"{len(results)} results: {path}")
    return 0
