"""What the verbs share that run commands under watch: their flags, their runs, their last words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opperf.cli.common.messages import say
from opperf.cli.common.options import (
    add_format,
    add_options,
    command_line,
    configuration_of,
    parse_variables,
)
from opperf.cli.common.stores import named_store
from opperf.cli.running.conduct import put_into
from opperf.cli.tasks.containers import add_container
from opperf.core.errors import UsageError
from opperf.core.units import parse_seconds
from opperf.measuring.campaign import Labels
from opperf.reporting.subjects import Run
from opperf.storing import RunDirectory
from opperf.storing.manifest_parts import MOST_SESSIONS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from opperf.storing.database.connection import Database
    from opperf.watching.ending import Ending


def add_runs(parser: ArgumentParser, default: str | None, words: str) -> None:
    """Add the flags of what is run, however often, and of how it is reported.

    Args:
        parser: of the verb.
        default: the form of the output where none is named.
        words: what the help calls it.
    """
    parser.add_argument(
        "--sessions", type=int, default=1, metavar="N",
        help="run it so often, each time anew, and give times and metrics with their intervals "
        "(default: 1)",
    )  # fmt: skip
    add_time_limit(parser)
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE",
        help="an environment variable of its processes",
    )  # fmt: skip
    parser.add_argument("--tag", action="append", default=[], help="a label of every record")
    add_format(parser, Run, default=default, words=words)
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever becomes of it")
    add_options(parser, ["runs_dir", "store"])
    add_container(parser)


def add_time_limit(parser: ArgumentParser) -> None:
    """Add when a command is ended."""
    parser.add_argument(
        "--time-limit", metavar="TIME",
        help="end a command and all that it has started after so long, as in 10m (default: never)",
    )  # fmt: skip


def time_limit(arguments: Namespace) -> float | None:
    """Return the seconds after which a command is ended, None for never."""
    return parse_seconds(arguments.time_limit) if arguments.time_limit else None


def variables_of(arguments: Namespace) -> dict[str, str]:
    """Return the environment of a command; refuse a number of runs that is none."""
    if not 1 <= arguments.sessions <= MOST_SESSIONS:
        raise UsageError(f"--sessions {arguments.sessions}: must be from 1 to {MOST_SESSIONS}")
    return parse_variables(arguments.env)


class WatchedRun(NamedTuple):
    """A run of opperf that has begun: its folder, what its records say of it, and the store."""

    directory: RunDirectory
    labels: Labels
    store: Database | None

    def keep(self, *, quiet: bool) -> None:
        """Put the journal into the store, where there is one."""
        if self.store is not None:
            put_into(self.store, self.directory, quiet=quiet)


def begin_run(
    verb: str, kind: str, arguments: Namespace, manifest: Mapping[str, object]
) -> WatchedRun:
    """Make the folder of a run, with its manifest; a store is looked up before."""
    configuration = configuration_of(arguments)
    store = named_store(configuration)
    command = command_line(verb, arguments.given)
    directory = RunDirectory.create(
        Path(configuration["runs_dir"].value),
        {"kind": kind, "command": command, "tags": arguments.tag, **manifest},
    )
    labels = Labels(run_id=directory.run_id, command=command, tags=tuple(arguments.tag))
    return WatchedRun(directory, labels, store)


def tell_ending(name: str, ending: Ending, *, quiet: bool) -> None:
    """Say what was odd about the end of a command."""
    if ending.log_fault:
        say(f"{name}: the log is not whole: {ending.log_fault}")
    if ending.outliving and not quiet:
        said = f"{ending.outliving} processes that it had started outlived it and were ended"
        say(f"{name}: {said}")
    if ending.unkillable:
        say(f"{name}: cannot be ended: processes {', '.join(map(str, ending.unkillable))}")
