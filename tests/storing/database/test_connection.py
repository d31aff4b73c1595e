import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE, Popen, run
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from opperf.core.errors import UsageError
from opperf.core.result import Result
from opperf.storing import StorageError
from opperf.storing.database import migrations, schema
from opperf.storing.database.address import file_system, kind_of, parse_address
from opperf.storing.database.connection import Database, bring_up, create_store, open_store
from opperf.storing.database.faults import explain
from opperf.storing.database.importing import Importer
from opperf.storing.database.maintenance import verify
from opperf.storing.database.migrations import NEWEST

MakeResult = Callable[..., Result]
Put = Callable[[Database, Sequence[Result]], Importer]

SLOW_STEP = """\
import sys, time
from opperf.storing.database import migrations
from opperf.storing.database.connection import Database, bring_up

def slow(connection):
    first(connection)
    print("within", flush=True)
    time.sleep(600)

first = migrations.STEPS[0]
migrations.STEPS = (slow, *migrations.STEPS[1:])
bring_up(Database(sys.argv[1]))
"""
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


def test_a_store_is_made_once(address: str, make_result: MakeResult, put: Put) -> None:
    """Making one that is there leaves what it holds."""
    put(create_store(address), [make_result()])
    assert verify(create_store(address)) == 1
    assert verify(open_store(address)) == 1


def test_there_must_be_a_store(address: str) -> None:
    """An empty database, or no file, is none."""
    with pytest.raises(UsageError, match=r"no store.*`opperf db init` makes one"):
        open_store(address)


def test_a_database_of_something_else_is_left_alone(address: str) -> None:
    """Its table is named, and it gets none of ours."""
    with Database(address).writing() as connection:
        connection.execute(text("CREATE TABLE customers (id INTEGER)"))
    for opened in (open_store, create_store):
        with pytest.raises(UsageError, match="of something else, with the table 'customers'"):
            opened(address)
    with Database(address).reading() as connection:
        names = connection.dialect.get_table_names(connection)
    assert names == ["customers"]


def test_a_newer_schema_is_refused(store: Database, address: str) -> None:
    """Nobody writes what it does not understand."""
    newer = {"version": NEWEST + 1, "applied_at": "2030-01-01", "opperf_version": "9.0"}
    with store.writing() as connection:
        connection.execute(insert(schema.migration).values(newer))
    for opened in (open_store, create_store):
        with pytest.raises(UsageError, match=f"has schema {NEWEST + 1}.*install the newer opperf"):
            opened(address)


def test_an_older_schema_is_brought_up(address: str, make_result: MakeResult, put: Put) -> None:
    """What it holds stays; until then the error names the command."""
    old = Database(address)
    assert bring_up(old, 1) == (0, 1)
    put(old, [make_result()])
    with pytest.raises(UsageError, match=r"has schema 1.*`opperf db migrate`"):
        open_store(address)
    assert bring_up(old) == (1, NEWEST)
    assert verify(open_store(address)) == 1


def test_a_migration_that_is_killed_leaves_the_version_before(address: str) -> None:
    """By kill -9 in its middle, with tables already made: the next one begins anew."""
    with Popen([sys.executable, "-c", SLOW_STEP, address], stdout=PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "within\n"
        process.kill()
    database = Database(address, patience=5)
    with database.reading() as connection:
        assert database.version(connection) == 0
    assert bring_up(database) == (0, NEWEST)


def test_readers_are_not_blocked_by_the_writer(
    store: Database, make_result: MakeResult, put: Put, write: Any
) -> None:
    """They see the state before, until the writer is done."""
    put(store, [make_result()])
    query = select(schema.result.c.id)
    with store.writing() as connection:
        Importer(connection).add_file(write([make_result()], "more.jsonl"))
        with store.reading() as reader:
            assert len(reader.execute(query).all()) == 1
    with store.reading() as reader:
        assert len(reader.execute(query).all()) == 2


def test_a_reader_keeps_its_state(store: Database, make_result: MakeResult, put: Put) -> None:
    """Two queries of one reading agree, though a writer came between them; and it was not kept."""
    put(store, [make_result()])
    query = select(schema.result.c.id)
    with store.reading() as reader:
        before = reader.execute(query).all()
        put(store, [make_result()])
        assert reader.execute(query).all() == before


def test_a_second_writer_waits_and_then_gives_up(store: Database) -> None:
    """In one line, with what to do; the first one is not disturbed."""
    with (
        store.writing(),
        pytest.raises(UsageError, match="is being written by another process; wait"),
        store.writing(),
    ):
        pass


def test_two_writers_store_everything_once(
    address: str, make_result: MakeResult, write: Any
) -> None:
    """Both import the same journal at the same time: one stores it, the other finds it there."""
    create_store(address)
    path = write([make_result() for _ in range(300)])
    counts = []

    def import_it() -> None:
        with open_store(address).writing() as connection:
            importer = Importer(connection)
            importer.add_file(path)
        counts.append((importer.stored, importer.present))

    threads = [threading.Thread(target=import_it) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(counts) == [(0, 300), (300, 0)]


def test_a_full_disk_stores_nothing_of_the_journal(
    tmp_path: Path, make_result: MakeResult, write: Any
) -> None:
    """Whatever was stored before stays, and the import can be done again."""
    store = create_store(str(tmp_path / "results.db"))
    noise = [
        float.fromhex(f"0x1.{n:013x}p-20") for n in range(0x123456789ABC, 0x123456789ABC + 400)
    ]
    samples = {**(make_result().samples or {}), "seconds": noise}
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
    with pytest.raises(UsageError, match="result number 1 is damaged"):
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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("mysql://host/db", "unknown database; expected a file"),
        ("://", "is no URL"),
        ("sqlite://", "is no file"),
        (":memory:", "is no file"),
        ("postgresql://me:secret@host:port/db", "is no URL"),
    ],
)
def test_an_address_of_another_kind_is_refused(given: str, message: str) -> None:
    """With what is expected, and never with its password."""
    with pytest.raises(UsageError, match=message) as caught:
        parse_address(given)
    assert "secret" not in str(caught.value)


MOUNTS = """\
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 21 0:40 / /home rw - nfs4 server:/home rw
31 30 254:1 / /home/me/local rw - xfs /dev/vdb rw
32 21 0:41 / /mnt/two\\040words rw - cifs //server/share rw
""".splitlines()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "ext4"),
        ("/homes", "ext4"),
        ("/home/me", "nfs4"),
        ("/home/me/local/deep", "xfs"),
        ("/mnt/two words", "cifs"),
    ],
)
def test_the_innermost_mount_says_the_file_system(folder: str, kind: str) -> None:
    """As in /proc/self/mountinfo, where a space is written in octal."""
    assert kind_of(Path(folder), MOUNTS) == kind


def test_sqlite_on_a_network_file_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason and the remedy, before a file is made."""
    assert file_system(tmp_path) is not None
    monkeypatch.setattr("opperf.storing.database.address.file_system", lambda _folder: "nfs4")
    with pytest.raises(UsageError, match=r"network file system nfs4, whose locks.*PostgreSQL"):
        create_store(str(tmp_path / "results.db"))
    assert list(tmp_path.iterdir()) == []


def test_every_step_is_numbered(store: Database) -> None:
    """A new store has taken all migrations, each once."""
    with store.reading() as connection:
        versions = connection.scalars(select(schema.migration.c.version)).all()
    assert sorted(versions) == [*range(1, len(migrations.STEPS) + 1)]
