"""Say what to compare with, and what is known: set, show, ack, note."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import add_format, add_options
from opperf.cli.common.stores import reading, required_store
from opperf.core.moments import day, parse_moment
from opperf.reporting.changes import standing_rows
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

NAME = "default"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the tasks and their flags."""
    tasks = parser.add_subparsers(
        metavar="TASK", required=True, dest="task", parser_class=type(parser)
    )
    added = {}
    for name, (_, purpose) in TASKS.items():
        added[name] = tasks.add_parser(name, help=purpose, description=purpose, allow_abbrev=False)
        add_options(added[name], ["store"])
    for name in ("set", "show"):
        added[name].add_argument("--name", default=NAME, help=f"which one (default: {NAME})")
    for name in ("set", "ack"):
        added[name].add_argument("--note", help="what for")
    add_format(added["show"])
    added["set"].add_argument("run", metavar="RUN", help="a stored run's id, or: last")
    added["ack"].add_argument("change", metavar="CHANGE", help="as `opperf changes` names it")
    added["ack"].add_argument("--until", required=True, metavar="DATE", help="such as 2026-12-31")
    added["note"].add_argument("at", metavar="DATE", help="when it was, such as 2026-11-21")
    added["note"].add_argument("note", help="what it was")
    added["note"].add_argument(
        "--remove", action="store_true", help="take back the notes of that day with these words"
    )
    added["note"].add_argument("--operator", default="", help="what it concerns (default: all)")


def execute(arguments: Namespace) -> int:
    """Carry the task out."""
    task, _ = TASKS[arguments.task]
    task(arguments)
    return 0


def set_one(arguments: Namespace) -> None:
    """Let a name stand for a run."""
    store = required_store(arguments)
    from opperf.storing.database.notes import set_baseline
    from opperf.storing.database.reading import find_run

    with store.writing() as connection:
        run = find_run(connection, arguments.run)
        set_baseline(connection, arguments.name, run, arguments.note)
    say(f"baseline {arguments.name} is run {arguments.run}")


def show(arguments: Namespace) -> None:
    """Print how the newest results stand against a baseline."""
    store = required_store(arguments)
    from opperf.storing.database.notes import find_baseline
    from opperf.storing.database.standing import standings

    with reading(store) as connection:
        found = standings(connection, find_baseline(connection, arguments.name))
    print_rows(
        standing_rows(found), arguments.format, sys.stdout,
        keep=("operator", "baseline", "newest", "ratio", "verdict", "direction", "framework"),
        times=("baseline", "newest"),
    )  # fmt: skip


def acknowledge(arguments: Namespace) -> None:
    """Let a change count as known until a date."""
    until = parse_moment(arguments.until)
    store = required_store(arguments)
    from opperf.storing.database import notes

    with store.writing() as connection:
        series, at = notes.find_change(connection, arguments.change)
        notes.acknowledge(connection, series, at, until, arguments.note)
    say(f"change {arguments.change} is acknowledged until {day(until)}")


def note(arguments: Namespace) -> None:
    """Note what happened at a time."""
    at = parse_moment(arguments.at)
    store = required_store(arguments)
    from opperf.storing.database.notes import annotate, remove_annotations

    with store.writing() as connection:
        if arguments.remove:
            count = remove_annotations(connection, at, arguments.note, arguments.operator)
        else:
            annotate(connection, at, arguments.note, arguments.operator)
    say(f"{count} notes removed" if arguments.remove else f"noted for {day(at)}")


TASKS = {
    "set": (set_one, "let a name stand for a run"),
    "show": (show, "print how the newest results stand against a baseline"),
    "ack": (acknowledge, "let a change count as known until a date"),
    "note": (note, "note what happened at a time; histories show it"),
}
