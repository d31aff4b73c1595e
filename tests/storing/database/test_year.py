"""A simulated year: a step, a spike, a gap and a change of the machine, told right."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.storing.database.histories import choose_series, histories
from opperf.storing.database.news import find_news

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.history.model import History
    from opperf.storing.database.connection import Database

BEGIN = datetime(2026, 1, 1, 2, tzinfo=timezone.utc)
SPIKE, STEP, GAP, AFTER_GAP, MOVE, END = 60, 120, 200, 214, 290, 365
CPU = "Imaginary 9000"


def day_of(number: int) -> int:
    """Return the milliseconds of a day's run."""
    return round((BEGIN + timedelta(days=number)).timestamp() * 1000)


def seconds_on(number: int, chance: random.Random) -> float:
    """Return the median of a day: 1 ms, from the step on 1.08, on the second machine 0.6."""
    level = 0.6e-3 if number >= MOVE else 1.08e-3 if number >= STEP else 1e-3
    return level * chance.gauss(1, 0.01) * (1.5 if number == SPIKE else 1)


def year(
    make_result: Callable[..., Result], operator: str = "Dot", *, levels: Sequence[str] = ()
) -> Iterator[Result]:
    """Yield a result a day, but for the gap; one day of it failed.

    `levels` are what oneDNN was allowed to use before the step and after; older records lack it.
    """
    chance = random.Random(7)  # noqa: S311 - it is to be the same each time
    usual = make_result().operator.to_mapping()
    for number in range(END):
        seconds = seconds_on(number, chance)
        if GAP <= number < AFTER_GAP - 1:
            continue
        failed = number == AFTER_GAP - 1
        summary = {
            "n": 28, "median": seconds, "interval": [seconds * 0.99, seconds * 1.01],
            "precision": 0.01, "warnings": [],
        }  # fmt: skip
        yield make_result(
            run_id=f"run-{number:03d}",
            started_at=(BEGIN + timedelta(days=number)).isoformat(),
            operator={**usual, "name": operator, "framework": "mxnet"},
            series_key="a" * 16 if number < MOVE else "b" * 16,
            environment={
                "machine_key": "first" if number < MOVE else "second",
                "cpu": CPU,
                "packages": {"mxnet": "1.8.0" if number < STEP else "1.9.1"},
                "load_average": [number, 0, 0],
                **(
                    {"instruction_sets_allowed": {"oneDNN": levels[number >= STEP]}}
                    if levels
                    else {}
                ),
            },
            **({"status": "failed", "summary": None} if failed else {"summary": summary}),
        )


@pytest.fixture
def told(store: Database, make_result: Any, put: Any) -> list[History]:
    """Return the histories of a stored year."""
    put(store, list(year(make_result, levels=("avx512_core", "avx2"))))
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        return histories(connection, [row.id for row in rows])


def test_a_step_is_a_change_and_a_spike_is_none(told: list[History]) -> None:
    """The one change is on the day of the step, with its size and what else changed that day."""
    first, second = told
    (change,) = first.changes
    assert change.at == day_of(STEP)
    assert change.interval[0] < 1.08 < change.interval[1]
    assert change.ratio > 1
    assert [(item.fact, item.before, item.after) for item in change.differences] == [
        ("instruction_sets_allowed.oneDNN", "avx512_core", "avx2"),
        ("packages.mxnet", "1.8.0", "1.9.1"),
    ]
    assert second.changes == ()


def test_missing_days_are_a_gap_and_never_zero(told: list[History]) -> None:
    """From the last time before it to the first one after it; what failed has no time."""
    (gap,) = told[0].gaps
    assert (gap.start, gap.end) == (day_of(GAP - 1), day_of(AFTER_GAP))
    (failed,) = (point for point in told[0].points if point.value is None)
    assert (failed.at, failed.status) == (day_of(AFTER_GAP - 1), "failed")
    assert all(point.value for point in told[0].with_value)


def test_another_machine_is_no_change_of_the_operator(told: list[History]) -> None:
    """Its series begins anew, and says which machine went before."""
    first, second = told
    assert (first.subject.machine_key, first.previous_machine) == ("first", None)
    assert (second.subject.machine_key, second.previous_machine) == ("second", "first")
    assert second.points[0].at == day_of(MOVE)


@pytest.mark.parametrize(
    ("since", "changes", "moves"), [(STEP - 5, 1, 1), (STEP + 10, 0, 1), (MOVE + 5, 0, 0)]
)
def test_news_are_what_came_since(
    told: list[History], store: Database, since: int, changes: int, moves: int
) -> None:
    """What earlier results showed already is not news."""
    assert told
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        news = find_news(connection, rows, day_of(since))
    assert len(news.changes) == changes
    assert [(move.before, move.after, move.at) for move in news.moves] == [
        ("first", "second", day_of(MOVE))
    ] * moves


@pytest.mark.parametrize("days", [1, 2, 12])
def test_a_step_is_told_once_it_is_certain(
    days: int, store: Database, make_result: Any, put: Any
) -> None:
    """One bad run is none; with the second it is news; to the runs after that it is not."""
    results = list(year(make_result))
    put(store, results[: STEP + days])
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        news = find_news(connection, rows, day_of(STEP + days - 1))
    assert len(news.changes) == (days == 2)


def test_what_fails_anew_is_told(store: Database, make_result: Any, put: Any) -> None:
    """With the last time that it had."""
    results = list(year(make_result))[:200]
    put(store, [*results, next(r for r in year(make_result) if r.status == "failed")])
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        (failure,) = find_news(connection, rows, day_of(AFTER_GAP - 1)).failures
    assert (failure.status, failure.last.at) == ("failed", day_of(GAP - 1))


@pytest.fixture
def opperf(
    told: list[History], address: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> Callable[..., tuple[int, str]]:
    """Return a function that carries out a command on a store of a year."""
    assert told
    monkeypatch.setenv("OPPERF_STORE", address)
    monkeypatch.setenv("COLUMNS", "150")

    def carry_out(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        return code, capsys.readouterr().out

    return carry_out


def test_history_shows_the_year(opperf: Callable[..., tuple[int, str]]) -> None:
    """A line of bars with a blank for the gap, and what happened by its date."""
    code, text = opperf("history", "Dot", "--framework", "mxnet")
    assert code == 0
    assert "2026-05-01 1.00 ms -> 1.08 ms  1.08" in text
    assert "packages.mxnet 1.8.0 -> 1.9.1" in text
    assert "2026-07-19 gap: nothing until 2026-08-03" in text
    assert "2026-10-18 machine changed: before, first" in text
    bars = next(line for line in text.splitlines() if "▁" in line)
    assert " " in bars.strip()
    rows = json.loads(opperf("history", "Dot", "--format", "json")[1])
    assert len(rows) == 352
    assert sum(row["seconds"] is None for row in rows) == 1
    assert [row["at"][:10] for row in rows if row["change"]] == ["2026-05-01"]


def test_changes_ends_with_10_until_somebody_knows(opperf: Callable[..., tuple[int, str]]) -> None:
    """The record has regressed 1; once acknowledged it is 0, and 1 again after the end date."""
    code, text = opperf("changes", "--since", "2026-04-28", "--format", "json")
    (row, move) = json.loads(text)
    assert (code, row["kind"], row["regressed"], move["kind"]) == (10, "slower", 1, "machine")
    for until, expected in (("2999-01-01", 0), ("2020-01-01", 10)):
        assert opperf("baseline", "ack", row["change"], "--until", until)[0] == 0
        code, text = opperf("changes", "--since", "2026-04-28", "--format", "json")
        assert (code, json.loads(text)[0]["regressed"]) == (expected, int(expected == 10))
    assert opperf("changes", "--since", "2026-04-28", "--exit-zero")[0] == 0
    assert opperf("changes", "--since", "2027-06-01")[0] == 12


def test_a_baseline_is_what_the_newest_is_compared_with(
    opperf: Callable[..., tuple[int, str]],
) -> None:
    """A name stands for a run; what is measured on another machine is not compared with it."""
    assert opperf("baseline", "set", "run-100", "--name", "v1")[0] == 0
    assert opperf("baseline", "note", "2026-02-03", "new kernel", "--operator", "Dot")[0] == 0
    (row,) = json.loads(opperf("baseline", "show", "--name", "v1", "--format", "json")[1])
    assert row["ratio"] == pytest.approx(1.08, rel=0.05)
    assert row["verdict"] == "slower"
    assert row["environment"] == "instruction_sets_allowed.oneDNN avx512_core -> avx2"
    assert "2026-02-03 note: new kernel" in opperf("history", "Dot")[1]
    assert opperf("baseline", "show", "--name", "v2")[0] == 2
