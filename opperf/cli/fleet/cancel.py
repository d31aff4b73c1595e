"""Cancel what has not ended of a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.fleet.common import add_store, fleet_store

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add whose jobs, without a default: what is cancelled is not taken up again."""
    parser.add_argument("submission", metavar="SUBMISSION", help="its name, or last")
    add_store(parser)


def execute(arguments: Namespace) -> int:
    """Cancel the jobs."""
    store = fleet_store(arguments)
    from opperf.fleet.client.progress import find_submission
    from opperf.fleet.jobs.leases import cancel_jobs
    from opperf.fleet.store import changing

    with changing(store) as connection:
        name = find_submission(connection, arguments.submission)
        number = cancel_jobs(connection, name)
    say(f"{name}: {number} jobs cancelled; what is being measured now will not be stored")
    return 0
