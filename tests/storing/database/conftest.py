"""Every test of a store runs on SQLite and on a PostgreSQL of the tests' own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.importing import Importer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.results.result import Result

OTHERS = ("postgres", "nobody")
"""Whom root becomes: PostgreSQL does not run as root."""
PATIENCE = 120.0


def find_binaries() -> Path | None:
    """Return the folder of the newest PostgreSQL here, where Debian or PATH has one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and on_path:
        found = [Path(on_path).resolve()]
    return found[-1].parent if found else None


@dataclass
class Server:
    """PostgreSQL with its own files and a socket in its folder; it may stop and start again."""

    binaries: Path
    folder: Path = field(
        # Another user than root looks in here, whom the tests' own TMPDIR lets in nowhere.
        default_factory=lambda: Path(tempfile.mkdtemp(prefix="opperf-pg-", dir="/tmp"))
    )
    process: subprocess.Popen[bytes] | None = None
    numbers: count[int] = field(default_factory=count)
    user: str | None = None
    settings: tuple[str, ...] = ("fsync=off",)

    def prepare(self) -> None:
        """Make the folder of data."""
        if os.geteuid() == 0:
            self.user = next(name for name in OTHERS if exists(name))
            entry = pwd.getpwnam(self.user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        command = ["initdb", "-D", "data", "-U", "opperf", "-A", "trust", "--no-sync", "-E", "UTF8"]
        self.call([*command, "--locale=C.UTF-8"])

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = ("listen_addresses=", f"unix_socket_directories={self.folder}", *self.settings)
        command = ["-D", "data", *(word for setting in settings for word in ("-c", setting))]
        path = self.binaries / "postgres"
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [path, *command], stdout=log, stderr=log, **self.identity()
            )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it at once, as a power cut would."""
        if self.process is not None:
            subprocess.run(
                [self.binaries / "pg_ctl", "-D", "data", "stop", "-m", "immediate"],
                check=True, capture_output=True, **self.identity(),
            )  # fmt: skip
            self.process.wait(PATIENCE)
            self.process = None

    def remove(self) -> None:
        """Stop it and remove all of it."""
        self.stop()
        shutil.rmtree(self.folder)

    def answers(self) -> bool:
        """Return whether it takes connections."""
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def make_database(self) -> str:
        """Return the URL of a new database without tables."""
        name = f"opperf_{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def url(self, database: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://opperf@/{database}?host={self.folder}"

    def call(self, command: list[str]) -> None:
        """Run one of PostgreSQL's programs to its end."""
        subprocess.run(
            [self.binaries / command[0], *command[1:]],
            check=True, capture_output=True, **self.identity(),
        )  # fmt: skip

    def identity(self) -> dict[str, Any]:
        """Return as whom and where its programs run."""
        if self.user is None:
            return {"cwd": self.folder}
        group = pwd.getpwnam(self.user).pw_gid
        return {"cwd": self.folder, "user": self.user, "group": group, "extra_groups": []}


def exists(user: str) -> bool:
    """Return whether there is such a user."""
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Return a PostgreSQL that runs."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL here (no initdb); Debian: apt-get install postgresql")
    if os.geteuid() == 0 and not any(map(exists, OTHERS)):
        pytest.skip(f"root cannot run PostgreSQL, and there is no user {' or '.join(OTHERS)}")
    server = Server(binaries)
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind without tables."""
    if request.param == "sqlite":
        return str(tmp_path / "results.db")
    return str(request.getfixturevalue("server").make_database())


@pytest.fixture
def store(address: str) -> Database:
    """Return an empty store."""
    return create_store(address, patience=0.5)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Sequence[Result]], Path]:
    """Return a function that writes a journal."""

    def write_journal(results: Sequence[Result], name: str = "results.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(result.to_json() + "\n" for result in results))
        return path

    return write_journal


@pytest.fixture
def put(write: Callable[[Sequence[Result]], Path]) -> Callable[..., Importer]:
    """Return a function that stores results, and returns what counted them."""

    def put_results(store: Database, results: Sequence[Result]) -> Importer:
        with store.writing() as connection:
            importer = Importer(connection)
            importer.add_file(write(results))
        return importer

    return put_results
