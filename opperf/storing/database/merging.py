"""Copying one store into another, with what people noted there."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from opperf.storing.database import schema
from opperf.storing.database.cells import leaving_out, rows
from opperf.storing.database.importing import Importer
from opperf.storing.database.line import take_apart
from opperf.storing.database.reading import lines_of
from opperf.storing.database.sealing import insert_sealed

if TYPE_CHECKING:
    from collections.abc import Generator

    from sqlalchemy import Connection, Table

    from opperf.storing.database.connection import Database
    from opperf.storing.database.line import Line

NOTES = (
    (schema.baseline, ("name",), schema.run),
    (schema.acknowledgment, ("series_id", "changed_at"), schema.series),
    (schema.annotation, ("at", "operator", "note"), None),
)
"""The tables of notes, what makes two rows the same, and the table that they refer to."""


def merge(source: Database, target: Database) -> tuple[int, int]:
    """Copy all results and notes; return how many results were new and how many were there already.

    What is damaged in the source is left out, and counted in its `damage`.

    Raises:
        UsageError: A result of the source has the id of another one in the target.
    """
    with source.reading() as reading, target.writing() as writing:
        importer = Importer(writing)
        with closing(sound_lines(reading)) as lines:
            importer.add(lines)
        for table, identity, other in NOTES:
            copy_notes(reading, writing, table, identity, other)
    return importer.stored, importer.present


def sound_lines(connection: Connection) -> Generator[Line]:
    """Yield the lines of a store that are not damaged."""
    with closing(lines_of(connection)) as lines:
        for number, line in enumerate(lines, start=1):
            with leaving_out(connection, f"result {number} of those stored"):
                yield take_apart(line)


def copy_notes(
    reading: Connection,
    writing: Connection,
    table: Table,
    identity: tuple[str, ...],
    other: Table | None,
) -> None:
    """Copy the rows that the target lacks; what it has stays as it is."""
    numbers = translate(reading, writing, other) if other is not None else {}
    column = next((key.parent.name for key in table.foreign_keys), None)
    known = {tuple(row[name] for name in identity) for row in rows_of(writing, table)}
    for row in rows_of(reading, table):
        row.pop("id", None)
        if column is not None:
            row[column] = numbers.get(row[column])
        missing = column is not None and row[column] is None
        if not missing and tuple(row[name] for name in identity) not in known:
            insert_sealed(writing, table, row)


def rows_of(connection: Connection, table: Table) -> list[dict[str, Any]]:
    """Return all rows of a table."""
    return [row._asdict() for row in rows(connection, select(table))]


def translate(reading: Connection, writing: Connection, table: Table) -> dict[int, int]:
    """Return the target's number for each of the source's, by what the rows stand for."""
    query = select(table.c.id, table.c.digest)
    there = {bytes(row.digest): row.id for row in rows(writing, query)}
    pairs = ((row.id, bytes(row.digest)) for row in rows(reading, query))
    return {number: there[digest] for number, digest in pairs if digest in there}
