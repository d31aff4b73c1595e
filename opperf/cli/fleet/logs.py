"""Print what the jobs of a submission said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early
from opperf.cli.fleet.common import add_store, fleet_store
from opperf.core.errors import UsageError
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add whose."""
    parser.add_argument(
        "submission", metavar="SUBMISSION", nargs="?", default="last",
        help="its name, or last (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--job", type=int, metavar="N", help="of this job alone")
    add_store(parser)


def execute(arguments: Namespace) -> int:
    """Print each job's log behind a line that names it."""
    store = fleet_store(arguments)
    from opperf.fleet.client.progress import find_submission, list_jobs, read_output
    from opperf.fleet.store import changing
    from opperf.fleet.worker.spool import LOG

    with changing(store) as connection:
        name = find_submission(connection, arguments.submission)
        jobs = list_jobs(connection, name)
        if arguments.job is not None:
            numbers = [row.id for row in jobs]
            jobs = [row for row in jobs if row.id == arguments.job]
            if not jobs:
                raise UsageError(
                    f"--job {arguments.job}: {name} has jobs {numbers[0]} to {numbers[-1]}"
                )
        logs = {row.id: read_output(connection, row.id, LOG) for row in jobs}
    with leaving_early():
        for row in jobs:
            where = f" on {row.host}" if row.host else ""
            print(f"== job {row.id} ({row.title}): {row.state}{where}, attempt {row.attempt}")
            for line in filter(None, [row.reason, *(logs[row.id] or b"").decode().split("\n")]):
                print(clean(line))
    return 0
