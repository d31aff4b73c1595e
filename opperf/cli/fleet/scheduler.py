"""Distribute the jobs of a fleet to its hosts, until it is told to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.fleet.common import add_store, add_transport, fleet_store, secured
from opperf.core.errors import UsageError, quote
from opperf.core.units import parse_seconds

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

ADDRESS = "tcp://127.0.0.1:8786"
PERIOD, NEVER = "24h", "no"
SHORTEST, LONGEST = 3600.0, 7 * 86400.0


def add_arguments(parser: ArgumentParser) -> None:
    """Add where it listens."""
    parser.add_argument(
        "--listen", metavar="URL", default=ADDRESS,
        help="where hosts and clients find it, as tls://10.0.0.1:8786 (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--dashboard", metavar="HOST:PORT", help="where Dask's own pages are (default: nowhere)"
    )
    parser.add_argument(
        "--calibrate", metavar="TIME", default=PERIOD,
        help="have every host measure the calibration set so often (default: %(default)s, from "
        f"midnight UTC on); {NEVER}: not at all",
    )  # fmt: skip
    add_store(parser)
    add_transport(parser)


def execute(arguments: Namespace) -> int:
    """Schedule until SIGTERM or Ctrl-C."""
    import asyncio

    from opperf.fleet.scheduler.service import SchedulerRequest, schedule

    period = period_of(arguments.calibrate)
    store = fleet_store(arguments)
    request = SchedulerRequest(arguments.listen, arguments.dashboard, period)
    asyncio.run(schedule(store, request, secured(arguments, request.address), say))
    return 0


def period_of(text: str) -> float | None:
    """Return the seconds of --calibrate, None for no calibrations.

    Raises:
        UsageError: It is no time from an hour to a week.
    """
    if text == NEVER:
        return None
    expected = f"--calibrate {quote(text)}: must be from 1h to 168h, or {NEVER}"
    try:
        period = parse_seconds(text)
    except UsageError:
        raise UsageError(expected) from None
    if not SHORTEST <= period <= LONGEST:
        raise UsageError(expected)
    return period
