"""Which series are looked into for changes: all that may have one, found by a fast look."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from opperf.history.analysis import new_changes, times_of
from opperf.history.detection import may_have_split
from opperf.storing.database.histories import choose_series, points_of
from opperf.storing.database.medians import medians_of
from opperf.storing.database.news import BEFORE, find_news, find_suspects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.history.model import Point
    from opperf.storing.database.connection import Database

BEGIN = datetime(2026, 1, 1, 2, tzinfo=timezone.utc)
DAYS, NEW = 125, 4
SINCE = round((BEGIN + timedelta(days=DAYS - NEW)).timestamp() * 1000)
STEPS = {0: 5, 1: 60, 2: DAYS - NEW - 1, 3: DAYS - NEW, 4: DAYS - 2, 5: DAYS - 1}
"""The days on which some of the series step by 10 %."""
SERIES, FAILING, LATE, CROWDED = 14, 10, 11, 12
"""How many there are; one often fails, one began late, and one has several results at a time."""


def results(make_result: Callable[..., Result]) -> Iterator[Result]:
    """Yield a result of each series a day."""
    chance = random.Random(7)  # noqa: S311 - it is to be the same each time
    for number in range(SERIES):
        for day in range(DAYS - 3 if number == LATE else 0, DAYS):
            level = 1.1e-3 if day >= STEPS.get(number, DAYS) else 1e-3
            usual = make_result().summary.to_mapping()
            summary = {**usual, "median": level * chance.gauss(1, 0.01)}
            failed = number == FAILING and day % 5 == 0
            moment = BEGIN + timedelta(days=day - day % 3 if number == CROWDED else day)
            yield make_result(
                series_key=f"{number:016x}",
                started_at=moment.isoformat(),
                **({"status": "failed", "summary": None} if failed else {"summary": summary}),
            )


@pytest.fixture
def whole(store: Database, make_result: Any, put: Any) -> Mapping[int, Sequence[Point]]:
    """Return the points of each stored series, as its rows have them."""
    put(store, list(results(make_result)))
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        return points_of(connection, [row.id for row in rows])


def timed(points: Sequence[Point]) -> list[Point]:
    """Return those that have a time."""
    return [point for point in points if point.value is not None]


def test_medians_are_those_of_the_rows(
    store: Database, whole: Mapping[int, Sequence[Point]]
) -> None:
    """In the same order, also among equal times; what failed is not among them."""
    with store.reading() as connection:
        found = {one.series: one.points() for one in medians_of(connection, sorted(whole))}
    assert {number: [(p.at, p.value) for p in points] for number, points in found.items()} == {
        number: [(p.at, p.value) for p in timed(points)] for number, points in whole.items()
    }


def test_the_suspects_are_those_of_a_look_at_each_series(
    store: Database, whole: Mapping[int, Sequence[Point]]
) -> None:
    """From a hundred sessions before the new ones on, whatever the lengths of the series."""
    wanted = []
    for number, points in whole.items():
        before = [point.at for point in points if point.at < SINCE][-BEFORE:]
        recent = [point for point in timed(points) if point.at >= min(before, default=0)]
        if may_have_split(times_of(recent)):
            wanted.append(number)
    with store.reading() as connection:
        found = find_suspects(medians_of(connection, sorted(whole), SINCE, BEFORE))
    assert found == sorted(wanted)
    assert 5 <= len(found) < SERIES


def test_the_changes_are_those_of_whole_histories(
    store: Database, whole: Mapping[int, Sequence[Point]]
) -> None:
    """Of each series, with its points; what was shown before, or is of one session, is not news."""
    wanted = {n: new_changes(timed(points), SINCE) for n, points in whole.items()}
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        found = find_news(connection, rows, SINCE).changes
    assert sorted(one.change.p_value for one in found) == sorted(
        change.p_value for changes in wanted.values() for change in changes
    )
    assert {int(one.history.subject.series_key, 16) for one in found} == {2, 3, 4}
    assert all(list(one.history.points) in whole.values() for one in found)
