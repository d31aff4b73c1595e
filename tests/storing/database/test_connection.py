import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from opperf.core.errors import UsageError
from opperf.core.results.result import Result
from opperf.storing.database import migrations, schema
from opperf.storing.database.connection import Database, bring_up, create_store, open_store
from opperf.storing.database.importing import Importer
from opperf.storing.database.migrations import NEWEST
from opperf.storing.database.verifying import verify

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


def test_the_log_stays_for_several_transactions(
    tmp_path: Path, make_result: MakeResult, put: Put
) -> None:
    """And is put into the file at the end, where all of it is then."""
    store = create_store(str(tmp_path / "results.db"))
    log = Path(f"{store.path}-wal")
    with store.staying_open():
        for count in (1, 2):
            put(store, [make_result()])
            assert log.stat().st_size > 0
            assert verify(store) == count
    assert not log.exists()
    assert verify(store) == 2


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


def test_every_step_is_numbered(store: Database) -> None:
    """A new store has taken all migrations, each once."""
    with store.reading() as connection:
        versions = connection.scalars(select(schema.migration.c.version)).all()
    assert sorted(versions) == [*range(1, len(migrations.STEPS) + 1)]
