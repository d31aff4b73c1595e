"""Asking a fleet to measure: the flags, a submission, and waiting for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import say
from opperf.cli.fleet.common import add_transport, admitted, fleet_store
from opperf.cli.running.interrupt import terminable
from opperf.core.errors import UsageError
from opperf.fleet.extra import naming_the_extra

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from opperf.fleet.client.submission import JobRequest
    from opperf.storing.database.connection import Database

MOST_PER_KIND = 1000
OF_THIS_MACHINE = ("calls", "again", "network", "model", "spec", "task", "method")
LONG_BETWEEN_S = 10.0


def add_fleet(parser: ArgumentParser) -> None:
    """Add what has hosts of a fleet measure, and which."""
    add_fleet_alone(parser)
    parser.add_argument(
        "--on", action="append", default=[], metavar="FACT=PATTERN",
        help="on hosts of a fleet that are such, as 'cpu=*EPYC*', tag=lab; all must hold",
    )  # fmt: skip
    parser.add_argument(
        "--hosts-per-kind", type=int, default=1, metavar="N",
        help="on so many hosts of each kind (default: %(default)s)",
    )  # fmt: skip


def add_fleet_alone(parser: ArgumentParser) -> None:
    """Add what has hosts of a fleet measure, where rows say which."""
    parser.add_argument(
        "--fleet", metavar="URL", help="have hosts measure it, by their scheduler: tls://HOST:8786"
    )
    parser.add_argument(
        "--detach", action="store_true", help="do not wait; `opperf fleet wait` does later"
    )
    add_transport(parser)


def refuse_beside_fleet(
    arguments: Namespace, local: Sequence[str] = OF_THIS_MACHINE, takes: str = "operators"
) -> None:
    """Refuse flags of a fleet where none is named, and with one what hosts do not have.

    Args:
        arguments: as they were given.
        local: the flags, by their names here, whose values are files of this machine.
        takes: what a fleet takes of this verb.

    Raises:
        UsageError: names the flag.
    """
    if arguments.fleet:
        for name in local:
            if getattr(arguments, name, None):
                flag = f"--{name.replace('_', '-')}"
                raise UsageError(f"{flag}: is of this machine's files; --fleet takes {takes}")
        return
    given = {
        "--on": getattr(arguments, "on", None),
        "--hosts-per-kind": getattr(arguments, "hosts_per_kind", 1) != 1,
        "--detach": arguments.detach,
        "--certs": arguments.certs,
        "--insecure": arguments.insecure,
    }
    named = [flag for flag, value in given.items() if value]
    if named:
        raise UsageError(f"{named[0]}: is for hosts of a fleet; give --fleet URL")


def ask_fleet(
    arguments: Namespace, command: str, plan: Callable[[Any], Sequence[JobRequest]]
) -> tuple[Database, str]:
    """Submit what `plan` makes of the hosts' patterns; return the store and the submission's name.

    Raises:
        UsageError: No host fits, or the scheduler has another store or another version.
    """
    with naming_the_extra():
        from opperf.fleet.client.submission import submit
        from opperf.fleet.jobs.leases import cancel_jobs
        from opperf.fleet.jobs.requirement import parse_on
        from opperf.fleet.store import changing

        if not 1 <= arguments.hosts_per_kind <= MOST_PER_KIND:
            number = arguments.hosts_per_kind
            raise UsageError(f"--hosts-per-kind {number}: must be from 1 to {MOST_PER_KIND}")
        on = parse_on(arguments.on)
        store, require_known = meet_fleet(arguments)
        name = submit(store, command, plan(on), arguments.hosts_per_kind)
        try:
            require_known(name)
        except UsageError:
            with changing(store) as connection:
                cancel_jobs(connection, name)
            raise
    if not (arguments.detach or arguments.quiet):
        say(f"submitted as {name}")
    return store, name


def meet_fleet(arguments: Namespace) -> tuple[Database, Callable[[str], None]]:
    """Return the store of the fleet, and what refuses a submission that its scheduler lacks.

    Raises:
        UsageError: The scheduler has another version.
    """
    from opperf.fleet.client.greeting import greet
    from opperf.fleet.store import FLEET_VERSION

    store = fleet_store(arguments)
    address = arguments.fleet
    security = admitted(arguments, address)
    found = greet(address, security)
    if found["version"] != FLEET_VERSION:
        raise UsageError(
            f"the fleet at {address} has opperf {found['version']}, and this is "
            f"{FLEET_VERSION}; install the one that it has"
        )

    def require_known(name: str) -> None:
        if not greet(address, security, name)["known"]:
            raise UsageError(f"the fleet at {address} has another store than {store.name}")

    return store, require_known


def await_jobs(store: Database, name: str, *, quiet: bool) -> bool:
    """Wait until all jobs have ended, and show how far they are; return whether they have.

    Ctrl-C ends the waiting and not the jobs.
    """
    from tqdm import tqdm

    from opperf.fleet.client.progress import watch

    between = 0.5 if sys.stderr.isatty() else LONG_BETWEEN_S
    with (
        terminable(),
        tqdm(desc="jobs", unit="job", file=sys.stderr, disable=quiet, mininterval=between) as bar,
    ):
        try:
            for found in watch(store, name, say):
                bar.total = found.jobs
                bar.update(found.ended - bar.n)
        except KeyboardInterrupt:
            say(f"the fleet goes on without you; come back with: opperf fleet wait {name}")
            return False
    return True
