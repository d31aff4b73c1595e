"""A checksum in each row, of all its other cells, so that what was changed on the disk is noticed.

It tells of accidents. Whoever can write the store can write checksums.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import msgpack
from sqlalchemy import bindparam, insert, select, update

from opperf.storing.database import schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Table

NAME = "checksum"
CHUNK = 1000
"""Rows that are sealed together."""
LENGTH = 8
"""Bytes: one change in 1.8e19 would go unnoticed."""


SEALED = tuple(table for table in schema.METADATA.sorted_tables if NAME in table.c)
"""All tables but that of the migrations."""


def cells_of(table: Table) -> list[Any]:
    """Return the columns that a table's checksums are of: all but the row's number and itself."""
    return [column for column in table.c if column.name not in {"id", NAME}]


def checksum(values: Sequence[Any]) -> bytes:
    """Return the checksum of a row's cells, in the order of `cells_of`."""
    return sha256(msgpack.encode([*values])).digest()[:LENGTH]


def seal(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row's values with their checksum."""
    cells = [values[column.name] for column in cells_of(table)]
    return {**values, NAME: checksum(cells)}


def insert_sealed(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert a row with its checksum."""
    connection.execute(insert(table).values(seal(table, values)))


def update_sealed(
    connection: Connection,
    table: Table,
    where: ColumnElement[bool],
    changes: Mapping[str, Any],
) -> int:
    """Change cells of some rows, their checksums included; return how many rows there were."""
    (key,), columns = table.primary_key, cells_of(table)
    names = [column.name for column in columns]
    found = connection.execute(select(key, *columns).where(where)).all()
    for row in found:
        values = {**dict(zip(names, row[1:], strict=True)), **changes}
        fresh = {**changes, NAME: seal(table, values)[NAME]}
        connection.execute(update(table).where(key == row[0]).values(fresh))
    return len(found)


def seal_all(connection: Connection, table: Table) -> None:
    """Give each row of a table its checksum, as many rows as fit into memory at a time."""
    (key,), columns = table.primary_key, cells_of(table)
    statement = update(table).where(key == bindparam("row")).values({NAME: bindparam("fresh")})
    last: Any = None
    while found := connection.execute(following(select(key, *columns), key, last)).all():
        fresh = [{"row": row[0], "fresh": checksum(row[1:])} for row in found]
        connection.execute(statement, fresh)
        last = found[-1][0]


def following(query: Any, key: Any, last: Any) -> Any:
    """Return the query for the next rows by a key."""
    after = query if last is None else query.where(key > last)
    return after.order_by(key).limit(CHUNK)
