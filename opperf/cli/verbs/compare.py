"""Compare two stored runs, operator by operator; `opperf ab` can tell far smaller changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.filtering import facts_filter, matching
from opperf.cli.common.finding import find_results
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import add_filter, add_format, add_options
from opperf.cli.pairs.compete import exit_code, show
from opperf.cli.pairs.flags import add_effect, parse_share
from opperf.comparing.campaign import TIME
from opperf.comparing.instruction_sets import differences, notes
from opperf.comparing.row import kind_of
from opperf.comparing.stored import MIN_STORED_EFFECT, NotComparableError, machines, match, ways
from opperf.comparing.stored_values import row_of_match
from opperf.comparing.total import Total
from opperf.core.results.identity import OPERATOR
from opperf.history.host import host_of
from opperf.reporting.metrics import refuse_of_the_time, require_names
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from opperf.core.results.result import Result


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("a", metavar="RUN_A", help="the baseline: a run's id, a results file, last")
    parser.add_argument("b", metavar="RUN_B", help="the contender, likewise")
    add_filter(parser)
    add_effect(parser, MIN_STORED_EFFECT)
    parser.add_argument(
        "--metric", metavar="NAME", default=TIME,
        help="what is compared: a metric of the records, such as peak_memory (default: time)",
    )  # fmt: skip
    parser.add_argument(
        "--strict", action="store_true",
        help="refuse runs of different machines or instruction sets (14); exit 13 where "
        "anything is undecided",
    )  # fmt: skip
    add_format(parser)
    add_options(parser, ["runs_dir", "store"])
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")


def execute(arguments: Namespace) -> int:
    """Read both runs, and print what may be said of what both measured."""
    min_effect = parse_share(arguments.min_effect)
    runs = [find_results(arguments, run) for run in (arguments.a, arguments.b)]
    of_calls = any(kind_of(result) != OPERATOR for results in runs for result in results)
    chosen = facts_filter(arguments.filter, of_calls=of_calls)
    a, b = (matching(results, chosen) for results in runs)
    if arguments.strict and machines(a) != machines(b):
        raise NotComparableError(
            "the runs were made on different machines; without --strict they are compared anyhow"
        )
    if arguments.strict and (apart := list(differences(a, b))):
        raise NotComparableError(
            f"the runs could use different instruction sets ({'; '.join(apart)}); without --strict "
            "they are compared anyhow"
        )
    if arguments.metric != TIME:
        refuse_of_the_time(arguments.metric)
        require_names([arguments.metric], [*a, *b])
    matched = match(a, b)
    matched.require_same()
    if not matched.matches:
        say(f"{arguments.a} and {arguments.b} have nothing in common that matches")
        if ways(a) != ways(b):
            say("they were measured in different ways: see --plain and --cores of opperf run")
        return EMPTY
    is_time = arguments.metric == TIME
    rows = [row_of_match(found, arguments.metric, min_effect) for found in matched.matches]
    total = Total(rows)
    with leaving_early():
        show(total, min_effect, arguments.format, paired=False)
    if alone := matched.only_a + matched.only_b:
        say(f"only one of the runs has them, left out: {alone}")
    if machines(a) != machines(b):
        say(f"the runs were made on different machines{hosts_text(a, b)}")
    for note in notes(a, b):
        say(note)
    added = "4 % was added" + ("" if is_time else " where they are not exact")
    say(f"taken apart in time, numbers carry more uncertainty than their intervals: {added}")
    return exit_code(total, strict=arguments.strict)


def hosts_text(a: Iterable[Result], b: Iterable[Result]) -> str:
    """Return which hosts the runs are of, and of which kinds, where one of them has a name."""
    sides = [{host_of(result.environment) for result in results} for results in (a, b)]
    if not any(host.name for side in sides for host in side):
        return ""
    names = [", ".join(sorted(clean(host.label) for host in side)) for side in sides]
    kinds = sorted({clean(host.kind) for side in sides for host in side})
    alike = f"both of kind {kinds[0]}" if len(kinds) == 1 else f"of kinds {' and '.join(kinds)}"
    return f": {' and '.join(names)}, {alike}"
