from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import select

from opperf.core.results.result import Result
from opperf.storing.database import notes, schema
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.importing import Importer
from opperf.storing.database.maintenance import compact, remove_unused
from opperf.storing.database.merging import merge
from opperf.storing.database.reading import find_run
from opperf.storing.database.verifying import verify

MakeResult = Callable[..., Result]
Put = Callable[[Database, Sequence[Result]], Importer]


def counts(store: Database) -> dict[str, int]:
    """Return how many rows each table has."""
    with store.reading() as connection:
        return {
            table.name: len(connection.execute(select(table)).all())
            for table in schema.METADATA.sorted_tables
        }


def test_two_stores_become_one(
    store: Database, make_result: MakeResult, put: Put, tmp_path: Path
) -> None:
    """With notes, baselines and acknowledgments; a second time changes nothing."""
    shared, own = make_result(run_id="shared"), make_result(run_id="own")
    put(store, [shared])
    other = create_store(str(tmp_path / "other.db"))
    put(other, [shared, own])
    with other.writing() as connection:
        notes.set_baseline(connection, "v1", find_run(connection, "own"), "the first")
        notes.acknowledge(connection, 1, 1000, 2000, "known")
        notes.annotate(connection, 1000, "new kernel")
    assert merge(other, store) == (1, 1)
    merged = counts(store)
    assert merged == counts(other)
    assert merge(other, store) == (0, 2)
    assert counts(store) == merged
    assert verify(store) == 2


def test_what_nothing_refers_to_is_removed(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """And its room given back, while the rest stays readable."""
    put(store, [make_result(run_id="old", series_key="a"), make_result(run_id="new")])
    with store.writing() as connection:
        number = find_run(connection, "old")
        connection.execute(schema.result.delete().where(schema.result.c.run_id == number))
        assert remove_unused(connection) == 2
    compact(store)
    assert verify(store) == 1
    assert counts(store)["opperf_run"] == 1
