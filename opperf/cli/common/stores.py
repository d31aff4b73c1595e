"""The store that the command line or the configuration names: opened, and given a journal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of
from opperf.core.errors import UsageError
from opperf.storing.addresses import refuse_password
from opperf.storing.stores import open_at

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.core.configuration.options import Configuration
    from opperf.storing.database.connection import Database
    from opperf.storing.database.helper import Helpers
    from opperf.storing.database.importing import Importer


def address_of(configuration: Configuration) -> str | None:
    """Return where the store is, None where nobody names one.

    Raises:
        UsageError: It has a password, and comes from the command line.
    """
    value = configuration["store"]
    if value.value is not None and value.origin == "command line":
        refuse_password(value.value)
    return None if value.value is None else str(value.value)


def require_address(arguments: Namespace) -> str:
    """Return where the store is that a verb cannot do without."""
    address = address_of(configuration_of(arguments))
    if address is None:
        raise UsageError(
            "no store is named; give --store FILE or postgresql://user@host/database, or set it "
            "in OPPERF_STORE or opperf.toml"
        )
    return address


def required_store(arguments: Namespace) -> Database:
    """Return the store that a verb cannot do without."""
    return open_at(require_address(arguments))


def named_store(configuration: Configuration) -> Database | None:
    """Return the store where one is named."""
    address = address_of(configuration)
    return None if address is None else open_at(address)


@contextmanager
def reading(store: Database) -> Iterator[Connection]:
    """Give a connection that reads, and say in the end what was left out as damaged."""
    with store.reading() as connection:
        yield connection
    say_damage(store)


def say_damage(store: Database) -> None:
    """Say what was left out of a store as damaged, if anything was."""
    if store.damage.rows:
        say(str(store.damage))


def import_journal(store: Database, path: Path, helpers: Helpers | None = None) -> str:
    """Store a journal, whole or not at all, and return the line to print."""
    from opperf.storing.database.importing import Importer

    with store.writing() as connection:
        importer = Importer(connection, helpers)
        torn = importer.add_file(path)
    return "; ".join(filter(None, [count_text(path, importer), torn]))


def count_text(path: Path, importer: Importer) -> str:
    """Return how many results of a file are new."""
    return f"{path}: {importer.stored} results stored, {importer.present} were there already"
