"""Print the results of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.comparison import is_comparison, show_comparison
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
    """Read the journal and print what the filter leaves of it; of a comparison its verdicts."""
    runs_dir = Path(configuration_of(arguments)["runs_dir"].value)
    directory = RunDirectory.find(runs_dir, arguments.run)
    if is_comparison(directory):
        return show_comparison(directory, arguments.format)
    results = chosen_results(runs_dir, arguments.run, arguments.filter)
    if not results:
        say(f"no result of {arguments.run} matches {arguments.filter!r}")
        return EMPTY
    Output(arguments.format, None, "json", quiet=True).show(results)
    return 0


def chosen_results(runs_dir: Path, run: str, text: str) -> list[Result]:
    """Return what a filter leaves of a run; say what could not be read of it."""
    chosen = check_names(parse(text, [name for name in FIELDS if name != "tag"]))
    reading = read(RunDirectory.find(runs_dir, run).results_path)
    if reading.warning:
        say(reading.warning)
    return [result for result in reading.results if chosen.matches(facts_of(result))]


def facts_of(result: Result) -> dict[str, str | None]:
    """Return what a filter can ask of a result."""
    names = ("name", "category", "framework", "size", "direction", "device")
    facts = {name: result.operator.get(name) for name in names}
    dtype = result.inputs[0]["dtype"] if result.inputs else None
    return {**facts, "dtype": dtype, "status": result.status}
