"""Print what the newest results changed: slower, faster, failing, another machine."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import EMPTY, REGRESSION
from opperf.cli.common.messages import say
from opperf.cli.common.options import add_format, add_options
from opperf.cli.common.output import print_lines
from opperf.cli.common.stores import reading, required_store
from opperf.cli.verbs.history import add_selection, chosen_series, having, say_missing
from opperf.core.moments import parse_moment
from opperf.core.units import format_seconds
from opperf.history.model import TIME
from opperf.reporting.causes import cause_lines
from opperf.reporting.changes import (
    change_line,
    change_row,
    failure_line,
    failure_row,
    move_line,
    move_row,
)
from opperf.reporting.printing import print_rows
from opperf.reporting.text import is_ascii, to_ascii

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from opperf.history.cause import Cause
    from opperf.storing.database.news import News

LAST = "last"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_selection(parser)
    parser.add_argument(
        "--since", metavar="DATE", default=LAST,
        help="what results from then on show: 2026-11-21, 1d, or last, the newest run (default)",
    )  # fmt: skip
    add_format(parser)
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever changed")
    add_options(parser, ["store"])


def execute(arguments: Namespace) -> int:
    """Print the changes; 10 where one is for the worse and nobody acknowledged it."""
    since = None if arguments.since == LAST else parse_moment(arguments.since)
    store = required_store(arguments)
    from opperf.storing.database.causes import causes_of
    from opperf.storing.database.news import arrivals, find_news, metric_news
    from opperf.storing.database.reading import newest_run
    from opperf.storing.database.selection import metric_values

    began = time.monotonic()
    with reading(store) as connection:
        rows = chosen_series(connection, arguments)
        since = newest_run(connection) if since is None else since
        if arguments.metric == TIME.name:
            values, news = None, find_news(connection, rows, since)
            causes = causes_of(connection, news.changes)
        else:
            arrived = arrivals(connection, rows, since)
            values = metric_values(connection, arrived, arguments.metric)
            news, causes = metric_news(connection, values, since), {}
    if not news.series:
        say(f"no results since {arguments.since} match{having(values)}")
        return EMPTY
    say_missing(values, since)
    found = show(news, causes, arguments.format)
    seconds = format_seconds(time.monotonic() - began)
    say(f"{found} changes in {news.series} series with new results, found in {seconds}")
    return REGRESSION if has_regression(news) else 0


def has_regression(news: News) -> bool:
    """Return whether something got worse that nobody acknowledged."""
    now = round(1000 * time.time())
    return bool(news.failures) or any(change_row(one, now)["regressed"] for one in news.changes)


def show(news: News, causes: Mapping[str, Cause], form: str) -> int:
    """Print the news and what they are due to, and return how many changes there are."""
    now = round(1000 * time.time())
    rows = [change_row(one, now, causes.get(one.name)) for one in news.changes]
    if form == "table":
        lines = [change_line(row, one) for row, one in zip(rows, news.changes, strict=True)]
        lines += map(failure_line, news.failures)
        lines += map(move_line, news.moves)
        lines += cause_lines(news.changes, causes)
        ascii_only = is_ascii(sys.stdout)
        print_lines(to_ascii(line) if ascii_only else line for line in lines)
    else:
        rows += [*map(failure_row, news.failures), *map(move_row, news.moves)]
        print_rows(rows, form, sys.stdout)
    return len(news.changes) + len(news.failures)
