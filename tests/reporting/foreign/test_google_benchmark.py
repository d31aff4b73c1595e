"""Google Benchmark's JSON, read by the rules of its tools/compare.py."""

from __future__ import annotations

from statistics import geometric_mean
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def rows_of(document: Any) -> list[dict[str, Any]]:
    """Return the rows in compare.py's order; it takes documents of schema version 1 only."""
    assert document["context"].get("json_schema_version", 1) == 1

    def place(row: dict[str, Any]) -> tuple[int, int, bool, int]:
        return (
            row.get("family_index", -1),
            row.get("per_family_instance_index", -1),
            row.get("run_type") == "aggregate",
            row.get("repetition_index", -1),
        )

    return sorted(document["benchmarks"], key=place)


def compared(old: Any, new: Any) -> Iterator[tuple[str, float, float, int]]:
    """Yield name, change of the wall-clock and of the processor time, and repetitions.

    Rows are joined by name, and by the unit of the first that has one and both times.
    """
    rows = rows_of(old), rows_of(new)
    in_both = {row["name"] for row in rows[0]} & {row["name"] for row in rows[1]}
    for name in dict.fromkeys(row["name"] for row in rows[0] if row["name"] in in_both):
        of_name = [row for row in rows[0] if row["name"] == name]
        whole = (row for row in of_name if row.keys() >= {"time_unit", "real_time", "cpu_time"})
        first = next(whole, None)
        if first is None:
            continue
        unit = first["time_unit"]
        before, after = (
            [row for row in side if row["name"] == name and row["time_unit"] == unit]
            for side in rows
        )
        for one, other in zip(before, after, strict=False):
            changes = [(other[t] - one[t]) / abs(one[t]) for t in ("real_time", "cpu_time")]
            yield name, changes[0], changes[1], min(len(before), len(after))


def overall(document: Any) -> float:
    """Return the geometric mean of all that is no aggregate, in seconds."""
    rows = [row for row in document["benchmarks"] if row.get("run_type") != "aggregate"]
    return geometric_mean([row["real_time"] * SECONDS[row["time_unit"]] for row in rows])


def test_two_runs_are_compared_row_by_row(make: Make, document: Document) -> None:
    """By name, in nanoseconds, which compare.py prints without decimals; each row once."""
    old = document("google-benchmark", make(seconds=1.25e-6), make(name="Add", seconds=0.5))
    new = document("google-benchmark", make(seconds=2.5e-6), make(name="Add", seconds=0.25))
    assert [(*row[1:],) for row in compared(old, new)] == [(1.0, 1.0, 1), (-0.5, -0.5, 1)]
    assert [row["real_time"] for row in rows_of(old)] == [1250.0, 500_000_000.0]
    assert overall(old) == pytest.approx((1.25e-6 * 0.5) ** 0.5)


def test_what_failed_in_one_run_is_not_compared(make: Make, document: Document) -> None:
    """A row with error_occurred would be one of time zero to compare.py, so there is none."""
    old = document("google-benchmark", make(), make(name="Add"))
    new = document("google-benchmark", make(status="wrong_result"), make(name="Add"))
    assert [name.partition("-")[0] for name, *_ in compared(old, new)] == ["Add"]
    assert new["context"]["left_out"] == "without a time: 1 wrong result"
    assert "left_out" not in old["context"]


def test_every_row_has_what_the_library_writes(
    make: Make, document: Document, machine: dict[str, Any]
) -> None:
    """Iterations are those that the median is of; a time that is not reliable is labeled."""
    samples = {"seconds": [1e-4] * 40, "iterations": 100, "first_call": 0.5, "null": 0.0}
    found = document(
        "google-benchmark",
        make(samples=samples, environment=machine),
        make(status="noisy", precision=None),
    )
    first, second = rows_of(found)
    assert first["run_name"] == first["name"]
    assert (first["run_type"], first["repetitions"], first["threads"]) == ("iteration", 1, 1)
    assert (first["iterations"], first["time_unit"]) == (4000, "ns")
    assert "label" not in first
    assert second["label"] == "noisy, not reliable"
    assert found["context"]["num_cpus"] == 2
    assert found["context"]["caches"] == [
        {"type": "Data", "level": 1, "size": 32768},
        {"type": "Unified", "level": 2, "size": 1048576},
    ]


def test_a_run_without_a_time_is_no_error(document: Document) -> None:
    """There is nothing to compare in it."""
    assert rows_of(document("google-benchmark")) == []
