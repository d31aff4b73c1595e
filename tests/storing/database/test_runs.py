"""When a run began, as a store has it: at its earliest result, however the results came."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from opperf.storing.database import importing, schema
from opperf.storing.database.connection import Database, bring_up
from opperf.storing.database.migrations import NEWEST
from opperf.storing.database.reading import newest_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from opperf.core.results.result import Result

BEGIN = datetime(2026, 11, 1, 2, tzinfo=timezone.utc)


def began(store: Database) -> int:
    """Return when the newest run began, in seconds after `BEGIN`."""
    with store.reading() as connection:
        return round(newest_run(connection) / 1000 - BEGIN.timestamp())


def night(make_result: Any, number: int, seconds: range) -> Iterator[Result]:
    """Yield the results of a run that were begun so many seconds after `BEGIN`."""
    for second in seconds:
        moment = BEGIN + timedelta(seconds=second)
        yield make_result(run_id=f"night-{number}", started_at=moment.isoformat())


def test_a_run_begins_with_its_earliest_result(
    store: Database, make_result: Any, put: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one batch, in several, and where an earlier result comes later."""
    monkeypatch.setattr(importing, "BATCH", 10)
    put(store, list(night(make_result, 1, range(100, 135))))
    assert began(store) == 100
    put(store, list(night(make_result, 1, range(90, 95))))
    assert began(store) == 90
    put(store, list(night(make_result, 1, range(200, 205))))
    assert began(store) == 90


def test_stores_of_earlier_versions_are_mended(address: str, make_result: Any, put: Any) -> None:
    """Of the runs that began with a later result, and of the medians that were no times."""
    old = Database(address)
    bring_up(old, 2)
    results = list(night(make_result, 1, range(5)))
    negative = {**results[1].summary.to_mapping(), "median": -4.63e-3}
    put(old, [results[0], make_result(run_id="night-1", summary=negative), *results[2:]])
    table = schema.result
    with old.writing() as connection:
        connection.execute(update(schema.run).values(started_at=2**40))
        wrong = update(table).where(table.c.median.is_(None))
        connection.execute(wrong.values(status="ok", median=-4.63e-3))
    assert bring_up(old) == (2, NEWEST)
    assert began(old) == 0
    with old.reading() as connection:
        rows = connection.execute(select(table.c.status, table.c.median)).all()
    assert sorted(rows, key=str) == [("no_time", None), *[("ok", 1.5e-6)] * 4]
