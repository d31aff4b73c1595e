"""Opening a store: who may write beside whom, any number of readers, and each error in one line."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import NullPool, QueuePool, create_engine, inspect, select

from opperf.core.errors import NotInstalledError, UsageError
from opperf.storing.addresses import redact
from opperf.storing.database import schema
from opperf.storing.database.address import parse_address
from opperf.storing.database.cells import INFO, Damage, rows
from opperf.storing.database.faults import translate
from opperf.storing.database.migrations import NEWEST, migrate
from opperf.storing.database.sqlite import BEGIN, make_sqlite_engine
from opperf.storing.database.writers import ALONE, BESIDE_OTHERS, PATIENCE, wait_for_others

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import URL

WRITE = "BEGIN IMMEDIATE"
"""How SQLite waits for another writer now, and not in the middle of a transaction."""
LOSS = {
    "tcp_user_timeout": 30_000,
    "options": "-c idle_in_transaction_session_timeout=60s -c tcp_user_timeout=30s",
}
"""After how many milliseconds without an answer a connection is lost, and after how long the server
takes a client for lost that has begun a transaction: others wait for its locks."""


class Database:
    """A store that exists; each connection is opened when it is needed and closed after."""

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        self.url = parse_address(address)
        self.patience = patience
        self.engine = make_engine(self.url, patience)
        self.damage = Damage(self.name)
        """What was left out of all that was read."""

    @contextmanager
    def keeping_connection(self) -> Iterator[None]:
        """Keep one connection of PostgreSQL from one transaction to the next, for many short ones.

        One that was lost meanwhile is replaced; a server that does not answer is gone in a while,
        and it ends what a client that is gone has begun.
        """
        usual = self.engine
        self.engine = create_engine(
            self.url, poolclass=QueuePool, pool_size=1, pool_pre_ping=True,
            connect_args={"connect_timeout": 10, **LOSS},
        )  # fmt: skip
        try:
            yield
        finally:
            self.engine.dispose()
            self.engine = usual

    @property
    def name(self) -> str:
        """What errors call it, without a password."""
        if self.is_sqlite:
            return str(self.url.database)
        return redact(self.url.set(drivername="postgresql").render_as_string(hide_password=True))

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def path(self) -> Path:
        """The file of SQLite."""
        return Path(str(self.url.database))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection whose queries see one state of the store, whoever writes meanwhile.

        Damaged rows are left out, and counted in `damage`.
        """
        with translate(self.name), self.engine.connect() as connection:
            level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            connection.info[INFO] = self.damage
            yield connection.execution_options(**level)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give the one connection that may write; all it writes is stored at the end, or nothing.

        Raises:
            UsageError: Another process is writing and does not end soon.
        """
        with self.transaction(ALONE) as connection:
            yield connection

    @contextmanager
    def adding(self) -> Iterator[Connection]:
        """Give a connection that adds results of runs of its own, beside others that do.

        Nobody else changes what they refer to meanwhile. Two that add the same shared row wait for
        one another; SQLite has one writer at a time all the same.

        Raises:
            UsageError: Another process is writing and does not end soon.
        """
        with self.transaction(BESIDE_OTHERS) as connection:
            yield connection

    @contextmanager
    def transaction(self, how: str) -> Iterator[Connection]:
        """Give a connection in a transaction that has the writers' lock, taken in this way."""
        with (
            translate(self.name),
            self.engine.connect() as connection,
            connection.execution_options(**{BEGIN: WRITE}).begin(),
        ):
            if not self.is_sqlite:
                wait_for_others(connection, self.patience, how)
            yield connection

    @contextmanager
    def outside_transactions(self) -> Iterator[Connection]:
        """Give a connection for what can be no part of a transaction."""
        with translate(self.name), self.engine.connect() as connection:
            level = {} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
            yield connection.execution_options(**{BEGIN: None}, **level)

    @contextmanager
    def staying_open(self) -> Iterator[None]:
        """Keep SQLite's write-ahead log from one transaction within to the next.

        Whoever closes the last connection puts it into the file, however short it is.
        """
        with ExitStack() as stack:
            if self.is_sqlite:
                connection = stack.enter_context(self.outside_transactions())
                connection.exec_driver_sql("PRAGMA user_version").close()
            yield

    def version(self, connection: Connection) -> int:
        """Return the number of the newest migration, 0 for an empty database.

        Raises:
            UsageError: The database holds something else, or was made by a newer opperf.
        """
        names = inspect(connection).get_table_names()
        if schema.migration.name not in names:
            if names:
                raise UsageError(
                    f"{self.name} is a database of something else, with the table {names[0]!r}; "
                    "give a store its own file or database"
                )
            return 0
        versions = rows(connection, select(schema.migration.c.version))
        version = max((row.version for row in versions), default=0)
        if version > NEWEST:
            raise UsageError(
                f"store {self.name} has schema {version}, and this opperf knows {NEWEST}; "
                "install the newer opperf that others use"
            )
        return version


def make_engine(url: URL, patience: float) -> Engine:
    """Return what opens connections, none of them kept, so that a server may go and come back."""
    if url.get_backend_name() != "sqlite":
        try:
            return create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 10})
        except ModuleNotFoundError:
            remedy = "pip install 'opperf[store]'"
            raise NotInstalledError(f"PostgreSQL needs psycopg: {remedy}") from None
    return make_sqlite_engine(url, patience)


def open_store(address: str, *, patience: float = PATIENCE) -> Database:
    """Return the store at an address.

    Raises:
        UsageError: There is none, it is of another version, or it is something else.
    """
    database = Database(address, patience=patience)
    version = require_some(database)
    if version < NEWEST:
        raise UsageError(
            f"store {database.name} has schema {version}, and this opperf needs {NEWEST}; "
            "`opperf db migrate` brings it there"
        )
    return database


def require_some(database: Database) -> int:
    """Return the version of a store, whichever it is; refuse where there is none."""
    remedy = "`opperf db init` makes one"
    if database.is_sqlite and not database.path.exists():
        raise UsageError(f"there is no store at {database.name}; {remedy}")
    with database.reading() as connection:
        version = database.version(connection)
    if not version:
        raise UsageError(f"{database.name} is an empty database and no store yet; {remedy}")
    return version


def create_store(address: str, *, patience: float = PATIENCE) -> Database:
    """Make the store at an address and return it; one that exists is left as it is.

    Raises:
        UsageError: It cannot be written, or there is a database of something else.
    """
    database = Database(address, patience=patience)
    with database.reading() as connection:
        database.version(connection)
    if database.is_sqlite:
        let_read_while_writing(database)
    bring_up(database)
    return database


def let_read_while_writing(database: Database) -> None:
    """Turn on SQLite's write-ahead log, which stays on."""
    with database.outside_transactions() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one()
    if mode != "wal":
        raise UsageError(f"{database.name}: no write-ahead log here; use a local disk")


def bring_up(database: Database, newest: int = NEWEST) -> tuple[int, int]:
    """Take the migrations that a store lacks; return its version before and after.

    Raises:
        UsageError: The database holds something else, or was made by a newer opperf.
    """
    with database.writing() as connection:
        before = database.version(connection)
        migrate(connection, before, newest)
        return before, max(before, newest)
