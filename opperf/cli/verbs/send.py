"""Report a stored run, or send what a server of results has not taken yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.specs.reporters import add_reporter_options, remote_of, report_all, reporters_of
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.specs.reporters.spool import Spool


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of the verb."""
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a stored run; without it, what waits is sent"
    )
    add_reporter_options(parser)
    parser.add_argument("--list", action="store_true", help="list what waits for which server")
    parser.add_argument(
        "--refused", action="store_true", help="send also what the server has refused before"
    )


def execute(arguments: Namespace) -> int:
    """Report a run, or send what waits; return 1 where something could not be."""
    if arguments.run is not None:
        return report_run(arguments)
    if arguments.local_reporter is not None or arguments.screen_reporter or arguments.reporter:
        raise UsageError("send: which run? Without one, what waits for a server is sent")
    if arguments.list:
        return list_spools()
    return send_waiting(arguments)


def report_run(arguments: Namespace) -> int:
    """Report each result of a run.

    Raises:
        UsageError: a flag is of what waits, or nobody is to be told.
    """
    from opperf.api.run import load
    from opperf.specs.reporters.meta import meta_of

    if arguments.list or arguments.refused:
        raise UsageError("--list and --refused: are of what waits for a server, not of a run")
    reporters = reporters_of(arguments)
    if not reporters:
        raise UsageError(
            f"send {arguments.run}: to whom? --local_reporter, --remote_reporter, "
            "--screen_reporter or --reporter says so"
        )
    records = [result.to_mapping() for result in load(arguments.run)]
    return max([report_all(reporters, [record], meta_of(record)) for record in records], default=0)


def list_spools() -> int:
    """Print what waits for which server."""
    from opperf.specs.reporters.spool import spools

    found = spools()
    for spool in found:
        print(f"{spool.waiting()} waiting, {spool.rejected()} refused: {spool.endpoint}")
    if not found:
        say("nothing waits to be sent")
    return 0


def send_waiting(arguments: Namespace) -> int:
    """Send what waits for a server."""
    from opperf.specs.reporters.spool import spools

    if arguments.remote_reporter is None:
        arguments.remote_reporter = endpoint_of(spools(), refused=arguments.refused)
    reporter = remote_of(arguments)
    if reporter is None:
        say("nothing waits to be sent")
        return 0
    if arguments.refused:
        reporter.spool.try_refused()
    say(reporter.flush())
    return 1 if reporter.spool.waiting() else 0


def endpoint_of(spools: list[Spool], *, refused: bool) -> str | None:
    """Return for which server something waits, None where nothing does.

    Raises:
        UsageError: it waits for several, which need not have the same token.
    """
    full = [each.endpoint for each in spools if each.waiting() or (refused and each.rejected())]
    if len(full) > 1:
        raise UsageError(
            f"records wait for {len(full)} servers; say which by --remote_reporter: "
            + ", ".join(f"'{each}'" for each in full)
        )
    return full[0] if full else None
