"""Print the times of operators over all stored runs, with the changes among them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.options import add_filter, add_format, add_options
from opperf.cli.output import PIPED, leaving_early, say
from opperf.cli.stores import reading, required_store
from opperf.core.errors import UsageError, unknown
from opperf.core.filters.language import FIELDS, parse
from opperf.core.moments import parse_moment
from opperf.reporting.files import print_rows
from opperf.reporting.history import history_rows, history_text
from opperf.reporting.text import columns, is_ascii

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection, Row

EMPTY = 12
MOST = 200
"""Series that are shown together; more are no question that anybody has."""


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
    parser.add_argument("--machine", metavar="KEY", help="on the machine whose key begins so")


def execute(arguments: Namespace) -> int:
    """Print each series that is asked for."""
    since = None if arguments.since is None else parse_moment(arguments.since)
    store = required_store(arguments)
    from opperf.storing.database.histories import histories

    with reading(store) as connection:
        rows = chosen_series(connection, arguments, arguments.operator)
        found = histories(connection, [row.id for row in rows], since)
    if not found:
        say(f"the store has no results of {arguments.operator} that match")
        return EMPTY
    with leaving_early():
        if arguments.format == "table":
            width = columns(sys.stdout, PIPED)
            print(history_text(found, width, ascii_only=is_ascii(sys.stdout)))
        else:
            print_rows(history_rows(found), arguments.format, sys.stdout)
    return 0


def chosen_series(
    connection: Connection, arguments: Namespace, operator: str | None = None
) -> list[Row[Any]]:
    """Return the series that the flags choose.

    Raises:
        UsageError: No series is of this operator, or too many are.
    """
    from opperf.storing.database.histories import choose_series, operator_names

    exact = {"name": operator, "framework": arguments.framework, "device": arguments.device}
    rows = choose_series(connection, matcher(arguments.filter, exact), arguments.machine)
    if operator is None:
        return rows
    names = operator_names(connection)
    if operator.lower() not in map(str.lower, names):
        raise UsageError(unknown("operator", operator, names, " in the store"))
    if len(rows) > MOST:
        raise UsageError(
            f"{len(rows)} series of {operator} match; at most {MOST} are shown: "
            "choose by -k, --framework, --device or --machine"
        )
    return rows


def matcher(
    text: str, exact: Mapping[str, str | None]
) -> Callable[[Mapping[str, str | None]], bool]:
    """Return whether a series' facts are what a filter and the flags ask for."""
    chosen = parse(text, [name for name in FIELDS if name not in {"tag", "status"}])
    wanted = {name: value.lower() for name, value in exact.items() if value is not None}

    def matches(facts: Mapping[str, str | None]) -> bool:
        same = all((facts[name] or "").lower() == value for name, value in wanted.items())
        return same and chosen.matches(facts)

    return matches
