"""Distribute the jobs of a fleet to its hosts, until it is told to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.fleet.common import add_store, add_transport, fleet_store, secured
from opperf.cli.messages import say

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

ADDRESS = "tcp://127.0.0.1:8786"


def add_arguments(parser: ArgumentParser) -> None:
    """Add where it listens."""
    parser.add_argument(
        "--listen", metavar="URL", default=ADDRESS,
        help="where hosts and clients find it, as tls://10.0.0.1:8786 (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--dashboard", metavar="HOST:PORT", help="where Dask's own pages are (default: nowhere)"
    )
    add_store(parser)
    add_transport(parser)


def execute(arguments: Namespace) -> int:
    """Schedule until SIGTERM or Ctrl-C."""
    import asyncio

    from opperf.fleet.scheduler.service import schedule

    store = fleet_store(arguments)
    address = arguments.listen
    asyncio.run(schedule(store, address, secured(arguments, address), arguments.dashboard, say))
    return 0
