"""The flags of where results are reported to, in both spellings, and reporting to all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import say
from opperf.cli.methods.surroundings import flag_adder
from opperf.core.errors import OpperfError, UsageError
from opperf.specs.reporters.token import FILE_VARIABLE, VARIABLE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.specs.reporters.meta import Meta, Reporter
    from opperf.specs.reporters.remote import RemoteReporter


def add_reporter_options(parser: ArgumentParser) -> None:
    """Add the flags of all reporters."""
    add = flag_adder(parser)
    add("local-reporter", metavar="DIR", help="write results into a tree of folders")
    add("screen-reporter", action="store_true", help="print results as a short table")
    add("reporter", action="append", default=[], metavar="NAME[=TARGET]", help="one of a plug-in")
    add(
        "remote-reporter", metavar="URL|CATEGORY",
        help="send results to a server: <domain>/<endpoint>|<category>, by https",
    )  # fmt: skip
    add(
        "remote-access-token", metavar="$NAME|@FILE",
        help="the server's token, by the variable or the file that holds it "
        f"(default: {VARIABLE}, {FILE_VARIABLE})",
    )  # fmt: skip
    add("allow-http", action="store_true", help="send also unencrypted to another machine")


def reporters_of(arguments: Namespace) -> list[Reporter]:
    """Return the reporters that are asked for, local ones first.

    Raises:
        UsageError: one of them cannot be had; nothing is measured then.
    """
    from opperf.specs.reporters.registry import find_reporter

    found: list[Reporter] = []
    if arguments.local_reporter is not None:
        found.append(find_reporter("local", arguments.local_reporter))
    if arguments.screen_reporter:
        found.append(find_reporter("screen", ""))
    for name, _, target in (text.partition("=") for text in arguments.reporter):
        found.append(find_reporter(name, target))
    if (remote := remote_of(arguments)) is not None:
        found.append(remote)
    return found


def remote_of(arguments: Namespace) -> RemoteReporter | None:
    """Return the remote reporter, None where none is asked for."""
    from opperf.specs.reporters.remote import RemoteReporter

    if arguments.remote_reporter is None:
        if arguments.remote_access_token is not None:
            raise UsageError("--remote_access_token: is of no use without --remote_reporter")
        return None
    return RemoteReporter(
        arguments.remote_reporter, arguments.remote_access_token, allow_http=arguments.allow_http
    )


def report_all(
    reporters: Sequence[Reporter], records: Sequence[Mapping[str, Any]], meta: Meta
) -> int:
    """Have every reporter its turn, say what each did, and return 1 where one failed."""
    failed = 0
    for reporter in reporters:
        try:
            line = reporter.report(records, meta)
        except OpperfError as error:
            line, failed = str(error), 1
        if line:
            say(line)
    return failed
