"""What `--dry-run` prints of tasks and methods; nothing is made for it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.running.estimates import print_listing
from opperf.reporting.text import message

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.watching.command import WatchCommand


def print_task_plan(command: WatchCommand, arguments: Namespace) -> int:
    """Print the command that a script task would run; nothing is made for it."""
    print(message(shlex.join(command.words())))
    if not arguments.quiet:
        limit = f"{arguments.time_limit} each at most" if arguments.time_limit else "no limit"
        say(f"{arguments.sessions} run(s) of it, as long as the command takes ({limit})")
    return 0


def print_method_plan(names: Sequence[str], arguments: Namespace) -> int:
    """Print which methods would be run, and how often."""
    limit = arguments.time_limit
    rows = [{"method": name, "runs": arguments.sessions, "time limit": limit} for name in names]
    arguments.format = arguments.format or "table"
    print_listing(rows, arguments)
    if not arguments.quiet:
        each = f"{limit} each at most" if limit else "no limit"
        say(f"{len(names) * arguments.sessions} run(s), as long as the methods take ({each})")
    return 0
