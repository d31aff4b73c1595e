"""Put results into a store: runs, journals, and the files of some other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import add_options, configuration_of
from opperf.cli.common.stores import count_text, import_journal, required_store
from opperf.core.errors import UsageError
from opperf.core.moments import parse_moment
from opperf.storing import RunDirectory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.storing.database.connection import Database
    from opperf.storing.database.helper import Helpers

FOREIGN = (".json", ".csv", ".log")
"""How files of other tools end; a journal is .jsonl."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "files", metavar="RUN", nargs="+",
        help="a run's id or folder, a results file, last; or a file of pytest-benchmark, of MXNet "
        "opperf (.json), of PyTorch operator_benchmark (.json, .csv); or a log of the Deep "
        "Learning Benchmarking Suite (.log)",
    )  # fmt: skip
    parser.add_argument(
        "--at", metavar="DATE", help="when a file was measured that does not say so: 2026-11-21"
    )
    parser.add_argument(
        "--machine", default="unknown", help="a name of the machine, where a file does not say it"
    )
    add_options(parser, ["store", "runs_dir"])


def execute(arguments: Namespace) -> int:
    """Store each file, whole or not at all."""
    store = required_store(arguments)
    runs_dir = Path(configuration_of(arguments)["runs_dir"].value)
    at = None if arguments.at is None else parse_moment(arguments.at)
    from opperf.storing.database.helper import Helpers

    refused = 0
    with store.staying_open(), Helpers() as helpers:
        for name in arguments.files:
            try:
                if Path(name).suffix in FOREIGN and Path(name).is_file():
                    say(import_foreign(store, Path(name), at, arguments.machine))
                else:
                    say(import_run(store, RunDirectory.find(runs_dir, name), helpers))
            except UsageError as error:  # noqa: PERF203 - each file by itself
                if len(arguments.files) == 1:
                    raise
                refused += 1
                say(f"left out: {error}")
    if refused:
        say(f"{refused} of {len(arguments.files)} left out; the others are stored")
    return UsageError.exit_code if refused else 0


def import_run(store: Database, directory: RunDirectory, helpers: Helpers) -> str:
    """Store a run's journal and return the line to print; a comparison's pairs are not stored."""
    if directory.is_comparison:
        return f"skipped: {directory.run_id} is a comparison of `opperf ab`, and stores hold runs"
    return import_journal(store, directory.results_path, helpers)


def import_foreign(store: Database, path: Path, at: int | None, machine: str) -> str:
    """Store the results of another tool's file and return the line to print."""
    from opperf.storing.database.importing import Importer
    from opperf.storing.database.line import take_apart
    from opperf.storing.foreign.reading import read_foreign

    lines = (result.to_json().encode() + b"\n" for result in read_foreign(path, at, machine))
    with store.writing() as connection:
        importer = Importer(connection)
        importer.add(map(take_apart, lines))
    return count_text(path, importer)
