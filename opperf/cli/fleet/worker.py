"""Measure what the scheduler of a fleet hands to this host, one job at a time."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.fleet.common import add_store, add_transport, admitted, fleet_store, secured
from opperf.core.environment.folders import user_state
from opperf.core.errors import UsageError, quote
from opperf.core.units import share_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

ANY = "any"
MOST_NOISE = "5%"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


def add_arguments(parser: ArgumentParser) -> None:
    """Add where the scheduler is, and what this host is called."""
    parser.add_argument("--scheduler", required=True, metavar="URL", help="as tls://10.0.0.1:8786")
    parser.add_argument(
        "--name", default=socket.gethostname(), help="of this host (default: its host name)"
    )
    parser.add_argument(
        "--tag", action="append", default=[], help="a label that jobs may ask for: --on tag=lab"
    )
    parser.add_argument(
        "--max-noise", default=MOST_NOISE, metavar="SHARE",
        help="stay out of the fleet where `opperf doctor` finds more (default: %(default)s); "
        f"{ANY}: do not ask it",
    )  # fmt: skip
    parser.add_argument(
        "--spool", type=Path, metavar="DIR",
        help="where results wait for the store (default: in the user's state folder)",
    )  # fmt: skip
    add_store(parser)
    add_transport(parser)


def execute(arguments: Namespace) -> int:
    """Work until SIGTERM or Ctrl-C."""
    import asyncio

    from opperf.fleet.hosts.facts import host_facts
    from opperf.fleet.security.handshake import AbsentSchedulerError
    from opperf.fleet.worker.service import serve
    from opperf.fleet.worker.spool import HostSpool, sole_owner

    if not NAME.fullmatch(arguments.name):
        raise UsageError(f"--name {quote(arguments.name)}: letters, digits, dots, dashes only")
    most_noise = noise_of(arguments.max_noise)
    store = fleet_store(arguments)
    address = arguments.scheduler
    security = secured(arguments, address)
    with suppress(AbsentSchedulerError):  # it may come later
        admitted(arguments, address)
    folder = arguments.spool or user_state("fleet")
    spool = HostSpool(folder.absolute() / arguments.name)

    async def work() -> None:
        from opperf.fleet.worker.host import Host

        facts = host_facts(arguments.name, arguments.tag)
        await serve(Host(facts, store, spool, most_noise, say), address, security)

    with sole_owner(spool):
        asyncio.run(work())
    return 0


def noise_of(text: str) -> float | None:
    """Return the share that --max-noise allows, None for any."""
    if text == ANY:
        return None
    share = share_of(text)
    if share is None or not 0 < share <= 1:
        raise UsageError(f"--max-noise {quote(text)}: must be above 0 and up to 100%, or {ANY}")
    return share
