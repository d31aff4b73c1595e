"""Put results into a store: journals, runs, and what other tools wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.options import add_options, configuration_of
from opperf.cli.output import say
from opperf.cli.stores import required_store
from opperf.storing import RunDirectory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.storing.database.connection import Database


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "files", metavar="RUN", nargs="+", help="a run's id or folder, a results file, or: last"
    )
    add_options(parser, ["store", "runs_dir"])


def execute(arguments: Namespace) -> int:
    """Store each file, whole or not at all."""
    store = required_store(arguments)
    runs_dir = Path(configuration_of(arguments)["runs_dir"].value)
    for name in arguments.files:
        say(import_journal(store, RunDirectory.find(runs_dir, name).results_path))
    return 0


def import_journal(store: Database, path: Path) -> str:
    """Store a journal, whole or not at all, and say what came of it."""
    from opperf.storing.database.importing import Importer

    with store.writing() as connection:
        importer = Importer(connection)
        torn = importer.add_file(path)
    found = f"{path}: {importer.stored} results stored, {importer.present} were there already"
    return f"{found}; {torn}" if torn else found
