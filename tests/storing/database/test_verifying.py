"""What changes on the disk is noticed: cell by cell, and bit by bit."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, text, update

from opperf.core.errors import UsageError
from opperf.storing.database import schema
from opperf.storing.database.connection import Database, bring_up, create_store, open_store
from opperf.storing.database.migrations import NEWEST
from opperf.storing.database.notes import acknowledge, annotate, set_baseline
from opperf.storing.database.sealing import NAME, SEALED
from opperf.storing.database.verifying import examine, verify

if TYPE_CHECKING:
    from pathlib import Path

FLIPS = 300
"""Single bits, one at a time: some 30 of them change what a reader sees."""
COLUMNS = [(table.name, column.name) for table in SEALED for column in table.c]


def fill(store: Database, make_result: Any, put: Any) -> None:
    """Store results of several series, and what people note of them."""
    results = [
        make_result(
            run_id=f"night-{night}", attributes={"n": row}, series_key=f"{row:016x}",
            started_at=f"2026-11-{night + 1:02}T03:15:00+00:00", command="opperf run",
        )
        for night in range(6)
        for row in range(3)
    ]  # fmt: skip
    put(store, [*results, make_result(run_id="night-0", supersedes=results[0].result_id)])
    with store.writing() as connection:
        set_baseline(connection, "default", 1, "released")
        acknowledge(connection, 1, 10**12, 2 * 10**12, "known")
        annotate(connection, 10**12, "new kernel")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, make_result: Any) -> Path:
    """Return a SQLite store that is only copied."""
    from opperf.storing.database.importing import Importer

    folder = tmp_path_factory.mktemp("whole")

    def put(store: Database, results: Any) -> None:
        path = folder / "results.jsonl"
        path.write_text("".join(result.to_json() + "\n" for result in results))
        with store.writing() as connection:
            Importer(connection).add_file(path)

    store = create_store(str(folder / "results.db"))
    fill(store, make_result, put)
    assert verify(store) == 19
    return store.path


def seen(path: Path) -> list[Any]:
    """Return all that any reader of a store could see."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return [
            connection.execute(f"SELECT {cells} FROM {table.name} ORDER BY rowid").fetchall()  # noqa: S608 - ours
            for table in SEALED
            for cells in (", ".join(column.name for column in table.c if column.name != NAME),)
        ]


def test_no_bit_that_a_reader_sees_is_flipped_unnoticed(whole: Path, tmp_path: Path) -> None:
    """Either `verify` names what is damaged, or nobody sees it: it was in what nothing uses."""
    before, content, random = seen(whole), whole.read_bytes(), Random(22)  # noqa: S311
    path = tmp_path / "results.db"
    changed = 0
    for _ in range(FLIPS):
        place, bit = random.randrange(len(content)), random.randrange(8)
        flipped = bytearray(content)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        try:
            is_same = seen(path) == before
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError):
            is_same = False
        if is_same:
            continue
        changed += 1
        with pytest.raises(UsageError) as caught:
            verify(open_store(str(path)))
        assert len(str(caught.value).splitlines()) == 1
    assert changed > FLIPS // 20


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_changed_cell_is_named(whole: Path, tmp_path: Path, table: str, column: str) -> None:
    """By its table and row, whatever stands in it now."""
    path = tmp_path / "results.db"
    for value in ("x", 7):
        shutil.copy(whole, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            try:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid = "  # noqa: S608 - ours
                    f"(SELECT max(rowid) FROM {table})",
                    (value,),
                )
            except sqlite3.IntegrityError:
                continue  # a row's own number, of another type
        found = examine(open_store(str(path)))
        if column == "id" and table in {"opperf_annotation", "opperf_acknowledgment"}:
            assert not found.damaged  # nothing refers to it, and nobody sees it
        else:
            assert any(name.startswith((table, "opperf_")) for name in found.damaged)
            assert column == "id" or any(name.startswith(f"{table} ") for name in found.damaged)


def test_all_damaged_rows_are_named(store: Database, make_result: Any, put: Any) -> None:
    """Not the first alone, and the whole ones are counted."""
    put(store, [make_result(attributes={"n": n}) for n in range(5)])
    table = schema.result
    with store.writing() as connection:
        connection.execute(update(table).where(table.c.id.in_([2, 4])).values(session=9))
    found = examine(store)
    assert [name.partition(":")[0] for name in found.damaged] == [
        "opperf_result 2", "opperf_result 4",
    ]  # fmt: skip
    assert found.results == 3
    with pytest.raises(UsageError, match=r"opperf_result 2: its checksum.*\(and 1 more\)"):
        verify(store)


def test_rows_exchanged_with_their_checksums_are_named(
    store: Database, make_result: Any, put: Any
) -> None:
    """A line that is whole, in the row of another result."""
    put(store, [make_result(), make_result()])
    table = schema.result
    with store.writing() as connection:
        keys = connection.scalars(select(table.c.key).order_by(table.c.id)).all()
        for number, key in enumerate((b"x", keys[0], keys[1])):
            row = table.c.id == (1, 2, 1)[number]
            connection.execute(update(table).where(row).values(key=key))
    assert len(examine(store).damaged) == 2


def test_whatever_changes_a_row_seals_it_again(store: Database, make_result: Any, put: Any) -> None:
    """An earlier result of a run, one that is superseded, samples that are removed, notes."""
    from opperf.storing.database.maintenance import remove_samples, remove_unused

    fill(store, make_result, put)
    put(store, [make_result(run_id="night-3", started_at="2026-01-01T00:00:00+00:00")])
    with store.writing() as connection:
        assert remove_samples(connection, 2 * 10**12) == 20
        remove_unused(connection)
        set_baseline(connection, "default", 2, "again")
    assert verify(store) == 20


def test_a_store_without_checksums_gets_them(address: str, make_result: Any, put: Any) -> None:
    """As version 3 made it: nothing is lost, and what changes afterwards is noticed."""
    old = create_store(address)
    fill(old, make_result, put)
    with old.writing() as connection:
        connection.execute(schema.migration.delete().where(schema.migration.c.version >= 4))
        for table in SEALED:
            connection.execute(text(f"ALTER TABLE {table.name} DROP COLUMN {NAME}"))
    with pytest.raises(UsageError, match=r"has schema 3.*`opperf db migrate`"):
        open_store(address)
    assert bring_up(old) == (3, NEWEST)
    assert verify(open_store(address)) == 19
    with old.writing() as connection:
        for table in SEALED:
            missing = select(func.count()).select_from(table).where(table.c[NAME].is_(None))
            assert connection.scalar(missing) == 0
        connection.execute(update(schema.run).values(command="opperf run --quick"))
    assert len(examine(old).damaged) == 6
