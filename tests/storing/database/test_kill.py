import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from sqlalchemy import func, select

from opperf.core.results.result import Result
from opperf.storing.database import schema
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.importing import BATCH, Importer
from opperf.storing.database.verifying import verify

MakeResult = Callable[..., Result]
Put = Callable[[Database, Sequence[Result]], Importer]

STOPPING = """\
import sys, time
from opperf.cli import main
from opperf.storing.database import sqlite
from opperf.storing.database.importing import Importer

sqlite.CACHE_KIB = 64  # so that SQLite writes pages to the disk before the transaction ends

def add_batch(self, lines):
    whole(self, lines)
    if self.stored > len(lines):
        print("within", flush=True)
        time.sleep(600)

whole, Importer.add_batch = Importer.add_batch, add_batch
main(["import", sys.argv[2], "--store", sys.argv[1]])
"""


def sizes(store: Database) -> dict[str, int]:
    """Return how many rows each table has."""
    with store.reading() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in schema.METADATA.sorted_tables
        }


def test_an_import_that_is_killed_stores_nothing(
    address: str, make_result: MakeResult, put: Put, write: Any
) -> None:
    """By kill -9 between two batches: no row is left, and a second import stores each line once."""
    store = create_store(address, patience=120)
    put(store, [make_result()])
    before = sizes(store)
    results = [
        make_result(run_id="r", series_key=f"{number:016x}", environment={"load": number})
        for number in range(3 * BATCH)
    ]
    path: Path = write(results, "more.jsonl")
    with Popen([sys.executable, "-c", STOPPING, address, path], stdout=PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "within\n"
        if store.is_sqlite:
            assert Path(f"{store.path}-wal").stat().st_size > 0
        process.kill()
    assert sizes(store) == before
    assert verify(store) == 1
    for expected in ((len(results), 0), (0, len(results))):
        with store.writing() as connection:
            importer = Importer(connection)
            importer.add_file(path)
        assert (importer.stored, importer.present) == expected
    assert verify(store) == 1 + len(results)
