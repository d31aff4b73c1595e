"""Copying one store into another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.storing.database.importing import Importer, take_apart_storable
from opperf.storing.database.reading import lines_of

if TYPE_CHECKING:
    from opperf.storing.database.connection import Database


def merge(source: Database, target: Database) -> tuple[int, int]:
    """Copy all results; return how many were new and how many were there already.

    Raises:
        UsageError: A result of the source has the id of another one in the target.
    """
    with source.reading() as reading, target.writing() as writing:
        importer = Importer(writing)
        importer.add(map(take_apart_storable, lines_of(reading)))
    return importer.stored, importer.present
