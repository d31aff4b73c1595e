"""Print the times of operators, or another metric, over all stored runs with their changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import add_filter, add_format, add_options
from opperf.cli.common.output import PIPED
from opperf.cli.common.stores import reading, required_store
from opperf.core.moments import parse_moment
from opperf.history.model import TIME, FoundChange
from opperf.reporting.causes import cause_lines
from opperf.reporting.history import history_rows, history_text, lines_text
from opperf.reporting.printing import print_rows
from opperf.reporting.text import clean, columns, is_ascii

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sqlalchemy import Connection, Row

    from opperf.storing.database.metrics import MetricValues


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("operator", metavar="OPERATOR", help="an operator's name, such as Dot")
    add_selection(parser)
    parser.add_argument("--since", metavar="DATE", help="from then on: 2026-11-21, 90d, 2w")
    add_format(parser)
    add_options(parser, ["store"])


def add_selection(parser: ArgumentParser) -> None:
    """Add what chooses among series."""
    add_filter(parser)
    parser.add_argument("--framework", help="on this framework")
    parser.add_argument("--device", help="on this device, such as cpu")
    parser.add_argument("--host", metavar="NAME", help="on the host of this name")
    parser.add_argument(
        "--kind", metavar="KIND", help="on hosts whose kind is called, or begins, so"
    )
    parser.add_argument("--machine", metavar="KEY", help="on the machine whose key begins so")
    parser.add_argument(
        "--metric", metavar="NAME", default=TIME.name,
        help="a metric of the records, such as instructions or peak_memory (default: time)",
    )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Print each series that is asked for."""
    since = None if arguments.since is None else parse_moment(arguments.since)
    store = required_store(arguments)
    from opperf.storing.database.causes import causes_of
    from opperf.storing.database.histories import histories
    from opperf.storing.database.selection import metric_values

    with reading(store) as connection:
        rows = chosen_series(connection, arguments, arguments.operator)
        chosen = [row.id for row in rows]
        is_time = arguments.metric == TIME.name
        values = None if is_time else metric_values(connection, chosen, arguments.metric)
        found = histories(connection, chosen, since, values)
        changes = [FoundChange(history=one, change=each) for one in found for each in one.changes]
        causes = causes_of(connection, changes) if is_time else {}
    if not found:
        say(f"the store has no results of {arguments.operator} that match{having(values)}")
        return EMPTY
    say_missing(values, since or 0)
    with leaving_early():
        if arguments.format == "table":
            width = columns(sys.stdout, PIPED)
            ascii_only = is_ascii(sys.stdout)
            print(history_text(found, width, ascii_only=ascii_only))
            if lines := cause_lines(changes, causes):
                print("\n" + lines_text(lines, width, ascii_only=ascii_only))
        else:
            print_rows(history_rows(found, causes), arguments.format, sys.stdout)
    return 0


def having(values: MetricValues | None) -> str:
    """Return what else is asked of a result where a metric is, and why some have none."""
    if values is None:
        return ""
    return "; ".join([f" and have {clean(values.metric.name)}", *map(clean, values.reasons)])


def say_missing(values: MetricValues | None, since: int) -> None:
    """Say of how many results from a time on there is no value, or none that can be judged.

    Why there is no value is said where a probe knew it.
    """
    from opperf.history.analysis import judgeable

    if values is None:
        return
    every, name = values.every(since), clean(values.metric.name)
    if missing := sum(point.value is None for point in every):
        text = f"{missing} of {len(every)} results have no value and are left out"
        say("; ".join([f"{name}: {text}", *map(clean, values.reasons)]))
    if zeros := len(every) - missing - len(judgeable(every)):
        say(f"{name}: {zeros} values are not above 0 and not judged")


def chosen_series(
    connection: Connection, arguments: Namespace, operator: str | None = None
) -> list[Row[Any]]:
    """Return the series that the flags choose.

    Raises:
        UsageError: No series is of this operator, or too many are; there is no such host or kind.
    """
    from opperf.storing.database.hosts import chosen_machines
    from opperf.storing.database.selection import select_series

    exact = {"framework": arguments.framework, "device": arguments.device}
    machines = chosen_machines(connection, arguments.host, arguments.kind)
    return select_series(connection, operator, arguments.filter, exact, arguments.machine, machines)
