"""A store of an earlier version: an operator that was renamed since has one history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from opperf.storing.database import schema
from opperf.storing.database.cells import rows
from opperf.storing.database.connection import open_store
from opperf.storing.database.histories import choose_series, histories, operator_names
from opperf.storing.database.notes import annotate, remove_annotations
from opperf.storing.database.reading import find_run, read_run
from opperf.storing.database.sealing import update_sealed
from opperf.storing.database.verifying import examine
from tests.records import changed

if TYPE_CHECKING:
    from opperf.core.results.result import Result
    from opperf.history.model import History
    from opperf.storing.database.connection import Database


def named(make_result: Any, name: str, at: int, **operator: Any) -> Result:
    """Return a result of an operator of this name, which its line spells so."""
    result = make_result(started_at=f"2026-11-{at}T00:00:00.000+00:00", run_id=f"run-{at}")
    return changed(result, operator={"name": name, **operator})


@pytest.fixture
def older(store: Database, make_result: Any, put: Any) -> Database:
    """Return a store whose lines and columns have an older name, as that version wrote them."""
    put(store, [named(make_result, "DenseRelu", 20), named(make_result, "DenseRelu", 21)])
    with store.writing() as connection:
        annotate(connection, 1_795_000_000_000, "a note", "DenseRelu")
        everywhere = schema.series.c.id > 0
        update_sealed(connection, schema.series, everywhere, {"operator": "DenseRelu"})
    return store


def found(store: Database, name: str) -> list[History]:
    """Return the histories of an operator."""
    with store.reading() as connection:
        chosen = choose_series(
            connection, lambda facts: str(facts["name"]).lower() == name.lower(), None
        )
        return histories(connection, [row.id for row in chosen])


def test_older_and_newer_results_are_one_history(
    older: Database, make_result: Any, put: Any
) -> None:
    """By today's name, with the notes on either; the store's rows stay whole."""
    put(older, [named(make_result, "DenseReLU", 22)])
    for name in ("DenseRelu", "DenseReLU"):
        (history,) = found(older, name)
        assert history.subject.operator == "DenseReLU"
        assert len(history.points) == 3
        assert [each.note for each in history.annotations] == ["a note"]
    with older.reading() as connection:
        assert operator_names(connection) == ["DenseReLU"]
        for run in ("run-20", "run-22"):
            (result,) = read_run(connection, find_run(connection, run))
            assert result.operator.name == "DenseReLU"
    assert examine(older).damaged == []


def test_a_store_of_an_earlier_version_needs_no_migration(older: Database, address: str) -> None:
    """It is read as it is, and nothing of it is written: it may be there for reading only."""
    del older
    store = open_store(address)
    with store.reading() as connection:
        before = [row.operator for row in rows(connection, select(schema.series.c.operator))]
    assert len(found(store, "DenseReLU")) == 1
    with store.reading() as connection:
        after = [row.operator for row in rows(connection, select(schema.series.c.operator))]
    assert before == after == ["DenseRelu"]


def test_a_new_series_has_todays_name(store: Database, make_result: Any, put: Any) -> None:
    """Also of an older journal, in the column that SQL reads; another tool's keeps its own."""
    put(store, [named(make_result, "DenseRelu", 20)])
    other = named(make_result, "Relu", 21, category="imported")
    put(store, [changed(other, series_key="2" * 16)])
    with store.reading() as connection:
        columns = [row.operator for row in rows(connection, select(schema.series.c.operator))]
        assert sorted(operator_names(connection)) == ["DenseReLU", "Relu"]
    assert sorted(columns) == ["DenseReLU", "Relu"]


def test_a_note_is_taken_back_by_either_name(older: Database) -> None:
    """Whichever it was written by."""
    with older.writing() as connection:
        count = remove_annotations(connection, 1_795_000_000_000, "a note", "DenseReLU")
    assert count == 1
