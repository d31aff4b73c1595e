"""The flags that several verbs of a fleet have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import add_options, configuration_of
from opperf.cli.common.stores import address_of
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from distributed.security import Security

    from opperf.storing.database.connection import Database


def add_store(parser: ArgumentParser) -> None:
    """Add the store of the fleet."""
    add_options(parser, ["store"])


def add_transport(parser: ArgumentParser) -> None:
    """Add what connections are secured by."""
    parser.add_argument(
        "--certs", type=Path, metavar="DIR",
        help="the folder of this host's certificates, which `opperf fleet certs` makes",
    )  # fmt: skip
    parser.add_argument(
        "--insecure", action="store_true",
        help="allow plain tcp to other machines: whoever reaches the port runs code there",
    )  # fmt: skip


def secured(arguments: Namespace, address: str) -> Security | None:
    """Return with what connections are made at an address, None for plain tcp.

    Raises:
        UsageError: the certificates are missing or unfit, or plain tcp would leave this machine.
    """
    from opperf.fleet.security.transport import security_of

    folder, insecure = arguments.certs, arguments.insecure
    return security_of(folder, insecure=insecure, address=address, say=say)


def admitted(arguments: Namespace, address: str) -> Security | None:
    """Return the same for an end that connects, once the scheduler has taken its certificate.

    Raises:
        AbsentSchedulerError: nobody answers there.
        UsageError: as of `secured`, or either end refuses the other.
    """
    security = secured(arguments, address)
    if security is not None:
        from opperf.fleet.security.handshake import require_scheduler

        require_scheduler(address, arguments.certs)
    return security


def fleet_store(arguments: Namespace) -> Database:
    """Return the fleet's store.

    Raises:
        UsageError: None is named, or one that several machines cannot write.
    """
    address = address_of(configuration_of(arguments))
    if address is None:
        raise UsageError(
            "a fleet keeps its jobs in a store: give --store postgresql://user@host/database, or "
            "set it in OPPERF_STORE or opperf.toml"
        )
    from opperf.fleet.store import open_fleet_store

    return open_fleet_store(address)
