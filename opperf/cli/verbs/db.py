"""Make a store, look after it, and say whose results it holds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import add_format, add_options
from opperf.cli.common.stores import reading, require_address, required_store, say_damage
from opperf.core.moments import parse_moment
from opperf.reporting.hosts import host_rows
from opperf.reporting.printing import print_rows
from opperf.storing.addresses import redact, refuse_password
from opperf.storing.stores import drivers, open_at

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the tasks and their flags."""
    tasks = parser.add_subparsers(
        metavar="TASK", required=True, dest="task", parser_class=type(parser)
    )
    for name, (_, purpose) in TASKS.items():
        task = tasks.add_parser(name, help=purpose, description=purpose, allow_abbrev=False)
        add_options(task, ["store"])
        if name == "merge":
            task.add_argument("others", nargs="+", metavar="STORE", help="what is copied from")
        if name == "hosts":
            add_format(task)
        if name == "gc":
            for what in ("results", "samples"):
                task.add_argument(
                    f"--{what}-before", metavar="DATE",
                    help=f"remove {what} that are older, such as 2026-01-31 or 90d",
                )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Carry the task out."""
    task, _ = TASKS[arguments.task]
    task(arguments)
    return 0


def init(arguments: Namespace) -> None:
    """Make a store."""
    store = drivers().create_store(require_address(arguments))
    say(f"store {store.name} is ready")


def migrate(arguments: Namespace) -> None:
    """Bring a store to this version's schema."""
    address = require_address(arguments)
    opened = drivers().Database(address)
    drivers().require_some(opened)
    before, after = drivers().bring_up(opened)
    say(f"store {opened.name}: schema {before} -> {after}" if before < after else
        f"store {opened.name} has schema {after} already")  # fmt: skip


def merge(arguments: Namespace) -> None:
    """Copy what other stores hold."""
    store = required_store(arguments)
    from opperf.storing.database.merging import merge as copy

    for address in arguments.others:
        refuse_password(address)
        source = open_at(address)
        stored, present = copy(source, store)
        say(f"{redact(address)}: {stored} results copied, {present} were there already")
        say_damage(source)


def verify(arguments: Namespace) -> None:
    """Read all that a store holds, and name what is damaged."""
    store = required_store(arguments)
    from opperf.storing.database.verifying import verify as check

    say(f"store {store.name}: {check(store, say)} results, all of them whole")


def hosts(arguments: Namespace) -> None:
    """Print the hosts, and how fast they are against the others of their kind."""
    store = required_store(arguments)
    from opperf.storing.database.factors import host_standings

    with reading(store) as connection:
        found = host_standings(connection)
    for_people = arguments.format in {"table", "md"}
    print_rows(host_rows(found, for_people=for_people), arguments.format, sys.stdout)


def gc(arguments: Namespace) -> None:
    """Remove old results and samples, by the dates given, and rows that nothing refers to."""
    store = required_store(arguments)
    from opperf.storing.database import maintenance

    tasks = (
        ("results", arguments.results_before, maintenance.remove_results),
        ("samples", arguments.samples_before, maintenance.remove_samples),
    )
    counts = {}
    with store.writing() as connection:
        for what, before, remove in tasks:
            if before is not None:
                counts[what] = remove(connection, parse_moment(before))
        counts["unused rows"] = maintenance.remove_unused(connection)
    maintenance.compact(store)
    say("removed: " + ", ".join(f"{count} {what}" for what, count in counts.items()))


TASKS = {
    "init": (init, "make a store"),
    "merge": (merge, "copy the results of other stores into one"),
    "verify": (verify, "read every row of a store and name those that are damaged"),
    "migrate": (migrate, "bring a store of an older version to this one's schema"),
    "hosts": (hosts, "print the hosts of a store, their kinds and calibration factors"),
    "gc": (gc, "remove what is old or unused, and give its room back"),
}
