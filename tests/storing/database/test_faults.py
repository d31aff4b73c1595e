import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.result import Result
from opperf.storing import StorageError
from opperf.storing.database import schema
from opperf.storing.database.connection import Database, create_store, open_store
from opperf.storing.database.faults import explain
from opperf.storing.database.importing import Importer
from opperf.storing.database.verifying import verify

MakeResult = Callable[..., Result]
Put = Callable[[Database, Sequence[Result]], Importer]

LIMITED = """\
import resource, sys
from pathlib import Path
from opperf.core.errors import OpperfError
from opperf.storing.database.connection import open_store
from opperf.storing.database.importing import Importer

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    with open_store(sys.argv[1]).writing() as connection:
        Importer(connection).add_file(Path(sys.argv[2]))
except OpperfError as error:
    print(type(error).__name__, error)
"""


def test_a_full_disk_stores_nothing_of_the_journal(
    tmp_path: Path, make_result: MakeResult, write: Any
) -> None:
    """Whatever was stored before stays, and the import can be done again."""
    store = create_store(str(tmp_path / "results.db"))
    noise = [
        float.fromhex(f"0x1.{n:013x}p-20") for n in range(0x123456789ABC, 0x123456789ABC + 400)
    ]
    samples = {**make_result().samples.to_mapping(), "seconds": noise}
    path = write([make_result(samples=samples) for _ in range(300)])
    limit = store.path.stat().st_size + 20_000
    script = [sys.executable, "-c", LIMITED, str(store.path), str(path), str(limit)]
    said = run(script, capture_output=True, text=True, check=True).stdout
    assert said.startswith("StorageError cannot write store")
    assert "free space" in said
    assert verify(store) == 0
    with store.writing() as connection:
        Importer(connection).add_file(path)
    assert verify(store) == 300


@pytest.mark.parametrize(
    "content", [b"hello" * 1000, b"\0" * 5000, b"SQLite format 3\0" + b"\1" * 9000]
)
def test_a_file_of_another_kind_is_no_store(content: bytes, tmp_path: Path) -> None:
    """And is left as it is."""
    path = tmp_path / "results.db"
    path.write_bytes(content)
    for opened in (open_store, create_store):
        with pytest.raises(UsageError, match="is no store, or a damaged one"):
            opened(str(path))
    assert path.read_bytes() == content


def test_a_damaged_file_is_told_by_verify(
    tmp_path: Path, make_result: MakeResult, put: Put
) -> None:
    """Pages overwritten anywhere end in one line, not in a traceback."""
    store = create_store(str(tmp_path / "results.db"))
    put(store, [make_result(attributes={"n": n}) for n in range(500)])
    sqlite3.connect(store.path).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    whole = store.path.read_bytes()
    pages = range(4096, len(whole), 4096)
    for start in pages[:: max(len(pages) // 12, 1)]:
        store.path.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])
        with pytest.raises(UsageError, match="damaged"):
            verify(store)


def test_a_changed_result_is_told_by_verify(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """Bytes that still are a row, but no result."""
    put(store, [make_result()])
    with store.writing() as connection:
        connection.execute(schema.result.update().values(line=b"\xff\xff"))
    with pytest.raises(UsageError, match="opperf_result 1: "):
        verify(store)


def test_a_server_may_go_and_come_back(server: Any, make_result: MakeResult, write: Any) -> None:
    """Meanwhile every use says so in one line; afterwards nothing is lost and nothing doubled."""
    store = create_store(server.make_database())
    path = write([make_result() for _ in range(20)])
    with store.writing() as connection:
        Importer(connection).add_file(path)
    server.stop()
    try:
        with pytest.raises(StorageError, match=r"cannot reach store.*journals are not touched"):
            open_store(store.url.render_as_string())
    finally:
        server.start()
    with store.writing() as connection:
        importer = Importer(connection)
        importer.add_file(path)
    assert importer.present == 20


def test_a_server_that_goes_during_an_import_stores_nothing_of_it(
    server: Any, make_result: MakeResult, write: Any
) -> None:
    """The transaction is gone with it; the journal can be imported again."""
    store = create_store(server.make_database())
    path = write([make_result() for _ in range(20)])

    def import_without_server() -> None:
        with store.writing() as connection:
            importer = Importer(connection)
            importer.add_file(path)
            server.stop()
            importer.add_file(write([make_result()], "more.jsonl"))

    try:
        with pytest.raises(StorageError, match="cannot reach store"):
            import_without_server()
    finally:
        server.start()
    assert verify(store) == 0


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("could not extend file: No space left on device", "free space"),
        ("FATAL: password authentication failed", "check the path and its permissions"),
        ("attempt to write a readonly database", "check the path and its permissions"),
        ("something new", "nothing of this was stored"),
    ],
)
def test_what_a_database_says_becomes_one_line(message: str, expected: str) -> None:
    """With the remedy, whatever the driver calls it."""
    from sqlalchemy.exc import DBAPIError

    said = str(explain("results.db", DBAPIError("SELECT", {}, Exception(f"{message}\nmore"))))
    assert expected in said
    assert "\n" not in said
