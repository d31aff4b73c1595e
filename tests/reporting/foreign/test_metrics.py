"""All metrics of a result in other tools' forms, beside the time; of none nothing is added."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.quantity import MetricRecord
from opperf.reporting.registry import require_form
from opperf.reporting.rows import FIELDS, flat, rows_of
from opperf.reporting.subjects import Run
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

ENERGY = MetricRecord(
    name="energy", unit="J", value=0.25, better="less", per="call", interval=(0.2, 0.3)
)
HEAT = MetricRecord(name="heat", unit="K", value=None, better="less", per="call", reason="none")
SPEED = MetricRecord(name="hit_rate", unit="1", value=0.5, better="more", per="")


@pytest.fixture
def rich(make: Make) -> Result:
    """Return a result with memory, instructions and what probes have found."""
    return changed(
        make(seconds=31.25e-6),
        memory={"outputs": 64, "workspace": 32, "saved": 0},
        counters={"instructions": 1000.0},
        metrics=[ENERGY, HEAT, SPEED],
    )


KNOWN = {
    "workspace": 32, "saved": 0, "peak_memory": 96, "instructions": 1000, "energy": 0.25,
    "hit_rate": 0.5,
}  # fmt: skip
"""All but the time, what the shapes say, what follows from the time, and what has no value."""


def test_bencher_has_a_measure_a_metric(rich: Result, document: Document) -> None:
    """In its own unit, with its interval."""
    (found,) = document("bencher", rich).values()
    assert found.pop("latency")["value"] == 31250.0
    assert {name: measure["value"] for name, measure in found.items()} == KNOWN
    assert found["energy"] == {"value": 0.25, "lower_value": 0.2, "upper_value": 0.3}


def test_the_pytorch_database_has_a_record_a_metric(rich: Result, document: Document) -> None:
    """Of the same model and benchmark, each with its unit."""
    first, *others = document("pytorch-benchmark", rich)
    assert first["metric"]["name"] == "latency"
    found = {one["metric"]["name"]: one["metric"] for one in others}
    assert {name: one["benchmark_values"] for name, one in found.items()} == {
        name: [value] for name, value in KNOWN.items()
    }
    assert found["energy"]["extra_info"]["unit"] == "J"
    assert found["energy"]["extra_info"]["low"] == "0.2"
    assert all(one["model"] == first["model"] for one in others)


def test_charts_of_what_is_smaller_have_no_other(rich: Result, document: Document) -> None:
    """github-action-benchmark takes a rise for a regression."""
    first, *others = document("github-action-benchmark", rich)
    names = {entry["name"].removeprefix(f"{first['name']} "): entry for entry in others}
    assert {name: entry["value"] for name, entry in names.items()} == {
        name: value for name, value in KNOWN.items() if name != "hit_rate"
    }
    assert names["energy"]["unit"] == "J"


def test_google_benchmark_has_counters(rich: Result, document: Document) -> None:
    """As those of a user, with their units in their names."""
    (row,) = document("google-benchmark", rich)["benchmarks"]
    assert (row["workspace_B"], row["instructions"], row["energy_J"]) == (32, 1000, 0.25)
    assert "heat_K" not in row


def test_pytest_benchmark_has_them_beside_the_time(rich: Result, document: Document) -> None:
    """Its own compare shows times only."""
    (found,) = document("pytest-benchmark", rich)["benchmarks"]
    assert found["extra_info"].items() >= KNOWN.items()


def test_rows_have_what_probes_have_found_below_all_else(rich: Result, make: Make) -> None:
    """The older columns stay what they are; a name that is one of them is told apart."""
    status = changed(make(), metrics=[MetricRecord(**{**ENERGY.to_mapping(), "name": "status"})])
    rows = rows_of([make(), rich, status])
    assert {tuple(row) for row in rows} == {(*FIELDS, "energy", "hit_rate", "status (metric)")}
    assert [row["energy"] for row in rows] == [None, 0.25, None]
    assert rows[2]["status"] == "ok"
    assert rows_of([make()]) == [flat(make())]
    text = io.StringIO()
    require_form("csv", Run).write(Run(name="r", results=[make(), rich]), text)
    plain, found = csv.DictReader(io.StringIO(text.getvalue()))
    assert (plain["energy"], found["energy"]) == ("", "0.25")
