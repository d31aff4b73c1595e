"""Asking a fleet to measure: the flags, a submission, and waiting for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.fleet.common import add_transport, admitted, fleet_store
from opperf.cli.interrupt import terminable
from opperf.cli.messages import say
from opperf.core.errors import UsageError
from opperf.fleet.extra import naming_the_extra

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from opperf.fleet.client.submission import JobRequest
    from opperf.storing.database.connection import Database

MOST_PER_KIND = 1000
OF_THIS_MACHINE = ("calls", "again", "network", "model", "spec", "task", "method")
INTERRUPTED = 130
LONG_BETWEEN_S = 10.0


def add_fleet(parser: ArgumentParser) -> None:
    """Add what has hosts of a fleet measure."""
    parser.add_argument(
        "--fleet", metavar="URL", help="have hosts measure it, by their scheduler: tls://HOST:8786"
    )
    parser.add_argument(
        "--on", action="append", default=[], metavar="FACT=PATTERN",
        help="on hosts of a fleet that are such, as 'cpu=*EPYC*', tag=lab; all must hold",
    )  # fmt: skip
    parser.add_argument(
        "--hosts-per-kind", type=int, default=1, metavar="N",
        help="on so many hosts of each kind (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--detach", action="store_true", help="do not wait; `opperf fleet wait` does later"
    )
    add_transport(parser)


def refuse_beside_fleet(arguments: Namespace) -> None:
    """Refuse flags of a fleet where none is named, and with one what hosts do not have.

    Raises:
        UsageError: names the flag.
    """
    if arguments.fleet:
        for name in OF_THIS_MACHINE:
            if getattr(arguments, name, None):
                raise UsageError(f"--{name}: is of this machine's files; --fleet takes operators")
        return
    given = {
        "--on": arguments.on,
        "--hosts-per-kind": arguments.hosts_per_kind != 1,
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
        from opperf.fleet.client.greeting import greet
        from opperf.fleet.client.submission import submit
        from opperf.fleet.jobs.leases import cancel_jobs
        from opperf.fleet.jobs.requirement import parse_on
        from opperf.fleet.store import FLEET_VERSION, changing

        if not 1 <= arguments.hosts_per_kind <= MOST_PER_KIND:
            number = arguments.hosts_per_kind
            raise UsageError(f"--hosts-per-kind {number}: must be from 1 to {MOST_PER_KIND}")
        works = plan(parse_on(arguments.on))
        store = fleet_store(arguments)
        address = arguments.fleet
        security = admitted(arguments, address)
        found = greet(address, security)
        if found["version"] != FLEET_VERSION:
            raise UsageError(
                f"the fleet at {address} has opperf {found['version']}, and this is "
                f"{FLEET_VERSION}; install the one that it has"
            )
        name = submit(store, command, works, arguments.hosts_per_kind)
        if not greet(address, security, name)["known"]:
            with changing(store) as connection:
                cancel_jobs(connection, name)
            raise UsageError(f"the fleet at {address} has another store than {store.name}")
    return store, name


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
