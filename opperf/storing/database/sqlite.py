"""A SQLite file as it is opened here: to be written, or by those who may only read it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import NullPool, create_engine, event

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import URL

CACHE_KIB = 256 * 1024
LOG_PAGES = 32 * 1024
"""Of SQLite's write-ahead log, 128 MiB, before a commit puts it into the file: each day's results
touch a page of the index for each series, and several days mostly the same ones."""
BEGIN = "opperf_begin"
"""The execution option that says how a transaction begins, None for none."""


def make_sqlite_engine(url: URL, patience: float) -> Engine:
    """Return what opens connections to a file, none of them kept."""
    path = Path(str(url.database))

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(uri_of(path), timeout=patience, check_same_thread=False, uri=True)

    engine = create_engine(url, poolclass=NullPool, creator=connect)
    event.listen(engine, "connect", prepare_sqlite)
    event.listen(engine, "begin", begin_sqlite)
    return engine


def uri_of(path: Path) -> str:
    """Return how SQLite is told to open a file, also one that this process may only read.

    Readers of a write-ahead log write beside it, into the log's index. Where they may not, and
    nobody has the file open, so that there is no log, it is read as one that nobody will change.
    """
    uri = path.as_uri()
    if not path.exists() or all(os.access(place, os.W_OK) for place in (path, path.parent)):
        return uri
    has_log = any(Path(f"{path}{end}").exists() for end in ("-wal", "-shm", "-journal"))
    return f"{uri}?mode=ro" if has_log else f"{uri}?immutable=1"


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Set a connection up; transactions begin where we say, not where Python's module guesses."""
    connection.isolation_level = None
    connection.text_factory = decode
    settings = {
        "foreign_keys": "ON",
        "synchronous": "FULL",
        "cache_size": -CACHE_KIB,
        "wal_autocheckpoint": LOG_PAGES,
    }
    for name, value in settings.items():
        connection.execute(f"PRAGMA {name} = {value}")


def decode(data: bytes) -> str | bytes:
    """Return a cell's text; what is no text stays bytes, which no column of texts may hold."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def begin_sqlite(connection: Connection) -> None:
    """Begin a transaction, as far as one is wanted."""
    begin = connection.get_execution_options().get(BEGIN, "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)
