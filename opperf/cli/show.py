"""Print the results of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opperf.cli.options import add_filter, add_format, add_options, configuration_of
from opperf.cli.output import Output, say
from opperf.core.filters import FIELDS, parse
from opperf.plan import check_names
from opperf.storing import RunDirectory, read

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.core.result import Result

EMPTY = 12


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default="last", help="a run's id, a results file, or: last"
    )
    add_filter(parser)
    add_format(parser)
    add_options(parser, ["runs_dir"])


def execute(arguments: Namespace) -> int:
    """Read the journal and print what the filter leaves of it."""
    chosen = choose_results(arguments, arguments.run)
    if not chosen.results:
        say(f"no result of {arguments.run} matches {arguments.filter!r}")
        return EMPTY
    Output(arguments.format, None, "json", quiet=True).show(chosen.results)
    return 0


class Chosen(NamedTuple):
    """The name of a run, and those of its results that a filter leaves."""

    name: str
    results: list[Result]


def choose_results(arguments: Namespace, run: str) -> Chosen:
    """Read a run's journal; what was wrong with it is said on stderr."""
    chosen = check_names(parse(arguments.filter, [name for name in FIELDS if name != "tag"]))
    configuration = configuration_of(arguments)
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), run)
    reading = read(directory.results_path)
    if reading.warning:
        say(reading.warning)
    results = [result for result in reading.results if chosen.matches(facts_of(result))]
    return Chosen(directory.run_id, results)


def facts_of(result: Result) -> dict[str, str | None]:
    """Return what a filter can ask of a result."""
    names = ("name", "category", "framework", "size", "direction", "device")
    facts = {name: result.operator.get(name) for name in names}
    dtype = result.inputs[0]["dtype"] if result.inputs else None
    return {**facts, "dtype": dtype, "status": result.status}
