"""A store that is kept from night to night, and what may not break it: docs/store.md's recipe."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STORE = ("--store", "results.db")
BEGIN = datetime(2026, 9, 1, 2, tzinfo=timezone.utc)
SLOWED, NIGHTS_SLOW = 3, 2
"""How many series are 1.5 times slower, in the last so many nights."""


@pytest.fixture
def sleep_a_night(make_result: Any, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the run directory of a night's run."""

    def write(night: int, nights: int, rows: int, **changes: Any) -> Path:
        folder = tmp_path / "runs" / f"night-{night:03}"
        folder.mkdir(parents=True)
        median, started_at = (changes.get(name) for name in ("median", "started_at"))
        line = json.loads(make_result(run_id=folder.name).to_json())
        lines = []
        for row in range(rows):
            slow = row < SLOWED and night >= nights - NIGHTS_SLOW
            seconds = 1e-3 * (1.5 if slow else 1) * (1 + 0.001 * ((night * 7 + row) % 5))
            moment = BEGIN + timedelta(days=night, seconds=row)
            line |= {
                "result_id": f"{night * rows + row:032x}",
                "series_key": f"{row:016x}",
                "started_at": started_at or moment.isoformat(),
                "inputs": [{**line["inputs"][0], "shape": [row + 1]}],
            }
            line["summary"] |= {"median": seconds if median is None else median}
            lines.append(json.dumps(line))
        path = folder / "results.jsonl"
        path.write_text("".join(f"{text}\n" for text in lines))
        return path

    return write


@pytest.mark.parametrize(("nights", "rows"), [(34, 3), (12, 3000)])
def test_changes_since_the_last_night_are_all_told(
    call: Any, sleep_a_night: Callable[..., Path], nights: int, rows: int
) -> None:
    """With the default of --since, however many batches a night was stored in."""
    call("db", "init", *STORE)
    paths = [str(sleep_a_night(night, nights, rows)) for night in range(nights)]
    assert call("import", *paths, *STORE).returncode == 0
    found = call("changes", "--format", "json", *STORE)
    assert found.returncode == 10
    assert len(json.loads(found.stdout)) == SLOWED
    assert f"{SLOWED} changes in {rows} series" in found.stderr


@pytest.mark.parametrize(
    "moment", ["9999-12-31T23:59-14:00", "0001-01-01T00:00+23:59", "9999-12-31"]
)
def test_no_moment_beyond_the_calendar_enters_a_store(call: Any, moment: str) -> None:
    """It is refused in one line, where it stands."""
    call("db", "init", *STORE)
    for words in (("baseline", "note", moment, "hi"), ("changes", "--since", moment)):
        found = call(*words, *STORE)
        assert found.returncode == 2
        assert "is out of range; allowed: 0001-01-02 to 9999-12-30" in found.stderr
    assert call("changes", *STORE).returncode == 12


def test_a_note_that_poisons_is_shown_and_removed(
    call: Any, sleep_a_night: Callable[..., Path]
) -> None:
    """One that an earlier version let in: histories go on, and the note can be taken back."""
    call("db", "init", *STORE)
    call("import", str(sleep_a_night(0, 9, 1)), *STORE)
    with sqlite3.connect("results.db") as connection:
        connection.execute("INSERT INTO opperf_annotation (at, operator, note) VALUES (?, '', ?)",
                           (253402348740000, "hi"))  # fmt: skip
    connection.close()
    assert call("history", "Add", *STORE).returncode == 0
    assert call("baseline", "note", "2026-11-21", "new kernel", *STORE).returncode == 0
    removed = call("baseline", "note", "2026-11-21", "new kernel", "--remove", *STORE)
    assert (removed.returncode, removed.stderr) == (0, "opperf: 1 notes removed\n")
    again = call("baseline", "note", "2026-11-21", "new kernel", "--remove", *STORE)
    assert again.returncode == 2
    assert "no note 'new kernel' on that day" in again.stderr


def test_a_result_from_beyond_the_calendar_is_refused(
    call: Any, sleep_a_night: Callable[..., Path]
) -> None:
    """And nothing of it is stored."""
    call("db", "init", *STORE)
    path = sleep_a_night(0, 9, 1, started_at="9999-12-31T23:59:00-14:00")
    found = call("import", str(path), *STORE)
    assert found.returncode == 2
    assert "9999-12-31T23:59:00-14:00" in found.stderr
    assert "0 results" in call("db", "verify", *STORE).stderr


@pytest.mark.parametrize("median", [1e-300, 1e299, -2.04e-3, 0.0])
def test_medians_that_are_no_times_disturb_nobody(
    call: Any, sleep_a_night: Callable[..., Path], median: float
) -> None:
    """Beside sound nights of the same series: they have no time, and nothing overflows."""
    call("db", "init", *STORE)
    nights = 12
    paths = [str(sleep_a_night(night, nights, 1)) for night in range(nights - 1)]
    odd = str(sleep_a_night(nights - 1, nights, 1, median=median))
    assert call("import", *paths, odd, *STORE).returncode == 0
    assert call("changes", "--since", "9999d", *STORE).returncode in {0, 10}
    assert call("history", "Add", *STORE).returncode == 0
    (row,) = json.loads(call("show", odd, "--format", "json").stdout)
    assert (row["status"], row["seconds"], row["low"]) == ("no_time", None, None)
    assert "no time" in call("show", odd).stdout
    for words in (("compare", paths[0], odd), ("report", paths[0], odd, "--html", "page.html")):
        found = call(*words)
        assert found.returncode in {0, 14}, found.stderr
        assert "Traceback" not in found.stderr
