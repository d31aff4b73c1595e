"""The columns that only a wide terminal shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.quantity import MetricRecord
from opperf.reporting.table import table
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_memory_is_shown_where_there_is_room(make: Make) -> None:
    """A column a framework on a wide terminal; a narrower one has the rates, then neither."""
    memory = {"outputs": 4_000_000, "workspace": 0, "saved": 2_000_000}
    results = [make(memory=memory), make(framework="pytorch", memory=memory)]
    head, row, *rest = table(results, 200).splitlines()
    assert "mxnet memory" in head
    assert "pytorch memory" in head
    assert row.count("4.00 MB, 2.00 MB saved") == 2
    assert any(line.startswith("memory: outputs and workspace of a call") for line in rest)
    head, *rest = table(results, 140).splitlines()
    assert "mxnet rate" in head
    assert "memory" not in head
    assert "not shown at 140 columns: mxnet memory, pytorch memory" in rest
    assert all(len(line) <= 80 for line in table(results, 80).splitlines())
    assert "memory" not in table([make(), make(framework="pytorch")], 200)


def test_what_probes_have_found_has_a_column_where_there_is_room(make: Make) -> None:
    """In its unit, for each framework; without any there is none."""
    energy = {"name": "energy", "unit": "J", "better": "less", "per": "call"}
    found = changed(make(), metrics=[MetricRecord(value=5.2e-3, **energy)])
    none = changed(
        make(framework="pytorch"), metrics=[MetricRecord(value=None, reason="no meter", **energy)]
    )
    head, row, *_ = table([found, none], 220).splitlines()
    assert "mxnet energy" in head
    assert "pytorch energy" in head
    assert "5.20 mJ" in row
    head, *rest = table([found, none], 100).splitlines()
    assert "energy" not in head
    assert any(line.startswith("not shown at 100 columns: ") and "energy" in line for line in rest)
    assert "energy" not in table([none], 220)
