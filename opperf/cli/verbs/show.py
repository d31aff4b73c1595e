"""Print the results of a run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from opperf.cli.calls.run import add_ranking, named_run_of_calls
from opperf.cli.common.arranging import (
    add_arrangement,
    add_only,
    in_states,
    refuse_arrangement,
    states_of,
)
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.filtering import facts_filter, matching
from opperf.cli.common.finding import find_results, find_run
from opperf.cli.common.messages import say
from opperf.cli.common.options import add_filter, add_format, add_options
from opperf.cli.common.output import Output, arrangement_of
from opperf.cli.networks.output import ModelsOutput
from opperf.cli.pairs.comparison import named_comparison, show_comparison
from opperf.cli.specs.output import SpecsOutput
from opperf.comparing.instruction_sets import notes
from opperf.core.errors import UsageError
from opperf.core.results.identity import CALL
from opperf.history.host import host_of
from opperf.history.statistics import IN_SECONDS
from opperf.reporting.metrics import metric_notes, metric_rows, names_of
from opperf.reporting.models import is_step
from opperf.reporting.printing import print_rows
from opperf.reporting.rows import statistics_rows
from opperf.reporting.specs import is_spec
from opperf.reporting.subjects import Run
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable

    from opperf.core.results.result import Result

KINDS: tuple[tuple[type[Output], Callable[[Result], bool]], ...] = (
    (ModelsOutput, is_step),
    (SpecsOutput, is_spec),
)
"""How results are shown that are not of operators."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default="last", help="a run's id, a results file, or: last"
    )
    add_filter(parser)
    add_only(parser)
    add_arrangement(parser)
    add_format(parser, Run)
    parser.add_argument(
        "--statistics", action="store_true", help="the samples' percentiles, mean, stdev, mad, cv"
    )
    parser.add_argument(
        "--against", metavar="RUN", help="the same, less those of this run's results"
    )
    parser.add_argument(
        "--metrics", metavar="NAMES", help="these quantities alone, such as time,workspace,energy"
    )
    add_options(parser, ["runs_dir", "store"])
    add_ranking(parser)


def execute(arguments: Namespace) -> int:
    """Read the journal and print what the filter leaves of it; of a comparison its verdicts."""
    output = named_run_of_calls(arguments)
    chosen, states = (
        facts_filter(arguments.filter, of_calls=output is not None),
        states_of(arguments.only),
    )
    if output is None and (arguments.top is not None or arguments.by):
        raise UsageError("--top and --by are of a run of a network's calls (opperf run --calls)")
    if (directory := named_comparison(arguments)) is not None:
        if arguments.statistics or arguments.against or arguments.metrics:
            flags = "--statistics, --against and --metrics"
            raise UsageError(f"{flags} are of a run; a comparison has verdicts")
        refuse_arrangement(arguments, "verdicts")
        return show_comparison(directory, arguments.format, chosen)
    name, found = find_run(arguments, arguments.run)
    results = in_states(matching(found, chosen), states)
    if not results:
        say(no_match(arguments))
        return EMPTY
    if arguments.statistics or arguments.against:
        others = None
        if arguments.against:
            others = matching(find_results(arguments, arguments.against), chosen)
        print_rows(
            statistics_rows(results, others), arguments.format, sys.stdout,
            keep=("operator", "p50", "direction", "framework"), times=IN_SECONDS,
        )  # fmt: skip
        for note in notes(others or (), results):
            say(note)
        return 0
    if arguments.metrics:
        names = names_of(arguments.metrics, results)
        for_people = arguments.format in {"table", "md"}
        rows = metric_rows(results, names, for_people=for_people)
        keep = ("operator", *names, "direction", "framework")
        print_rows(rows, arguments.format, sys.stdout, keep=keep, times=names)
        for note in metric_notes(results, names):
            say(note)
        return 0
    show_results(arguments, Run(name=name, results=results), output)
    say_hosts(results)
    return 0


def say_hosts(results: Iterable[Result]) -> None:
    """Say on which hosts the results were measured that have names, and of which kind they are."""
    hosts = {host_of(result.environment) for result in results}
    for host in sorted(hosts, key=lambda one: one.label):
        if host.name:
            say(f"measured on host {clean(host.name)}, {clean(host.kind)}")


def show_results(arguments: Namespace, run: Run, output: Output | None) -> None:
    """Print results as their kind is shown: of calls by `output`, of networks, of operators."""
    own = next((kind for kind, is_of in KINDS if all(map(is_of, run.results))), None)
    if own or output:
        refuse_arrangement(arguments, "networks")
    kind = own or Output
    plain = kind(arguments.format, None, None, own is None, *arrangement_of(arguments))
    (output or plain).show(run)


def no_match(arguments: Namespace) -> str:
    """Return the line for a choice that leaves nothing of a run."""
    only = f" and --only {arguments.only}" if arguments.only else ""
    return f"no result of {arguments.run} matches {arguments.filter!r}{only}"


class Chosen(NamedTuple):
    """The name of a run, and those of its results that a filter leaves."""

    name: str
    results: list[Result]


def choose_results(arguments: Namespace, run: str) -> Chosen:
    """Return what the filter leaves of a run, from its folder or from a store."""
    name, results = find_run(arguments, run)
    of_calls = any(result.subject and result.subject.kind == CALL for result in results)
    left = matching(results, facts_filter(arguments.filter, of_calls=of_calls))
    return Chosen(name, in_states(left, states_of(arguments.only)))
