"""Inserting many rows at once, by the shortest way into each database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, insert
from sqlalchemy.exc import DBAPIError

from opperf.storing.database.sealing import NAME as CHECKSUM
from opperf.storing.database.sealing import cells_of, checksum, seal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Column, Connection


def insert_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, each of the values of all columns but the number and the checksum."""
    names = [column.name for column in (*cells_of(table), table.c[CHECKSUM])]
    rows = [(*row, checksum(row)) for row in rows]
    if connection.dialect.name == "postgresql":
        copy_rows(connection, table, names, rows)
    else:
        statement = insert(table).values(dict.fromkeys(names)).compile(connection)
        connection.exec_driver_sql(str(statement), list(rows))


def copy_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows by PostgreSQL's COPY, which has no parameters to be bound one by one."""
    statement = f"COPY {table.name} ({', '.join(names)}) FROM STDIN (FORMAT BINARY)"
    dialect = connection.dialect
    types = [str(table.c[name].type.compile(dialect)).lower() for name in names]
    try:
        cursor: Any = connection.connection.cursor()
        with cursor, cursor.copy(statement) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)
    except dialect.loaded_dbapi.Error as error:
        raise DBAPIError(statement, None, error) from error


def insert_absent(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], column: Column[Any]
) -> Sequence[Any]:
    """Insert the rows whose digest PostgreSQL does not have; return their number, digest, column.

    A row that another transaction has just inserted is waited for, and left out.
    """
    from sqlalchemy.dialects import postgresql

    query = postgresql.insert(table).on_conflict_do_nothing(index_elements=["digest"])
    returning = query.returning(table.c.id, table.c.digest, column)
    return connection.execute(returning, [seal(table, row) for row in rows]).all()
