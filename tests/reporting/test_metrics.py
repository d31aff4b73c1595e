"""The quantities that a reader asks for by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.metrics import metrics_of
from opperf.core.results.quantity import MetricRecord
from opperf.reporting.metrics import metric_notes, metric_rows, names_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

ENERGY = MetricRecord(name="energy", unit="J", value=0.25, better="less", per="call")
ABSENT = MetricRecord(
    name="energy", unit="J", value=None, better="less", per="call", reason="may not be read"
)


def test_what_has_a_field_is_a_metric_of_any_record(make: Make) -> None:
    """Also where no probe has written one, as in older records."""
    result = make(memory={"outputs": 8, "workspace": 4}, counters={"instructions": 1234.5})
    found = metrics_of(result)
    assert found["time"].value == result.seconds
    assert found["time"].interval == result.interval
    assert (found["peak_memory"].value, found["instructions"].value) == (12, 1234.5)
    assert (found["time"].unit, found["time"].better) == ("s", "less")
    assert "saved" not in found


def test_what_has_no_time_has_none_of_its_metrics(make: Make) -> None:
    """Rates and counts of a wrong result are no figures either."""
    found = metrics_of(make(status="wrong_result", counters={"instructions": 5.0}))
    assert not found.keys() & {"time", "flop_rate", "byte_rate", "instructions"}


def test_a_metric_of_a_probe_is_one_like_any_other(make: Make) -> None:
    """It is asked for by its name, which no list in the reports has."""
    results = [make(metrics=(ENERGY,)), make()]
    assert names_of("time, energy", results) == ["time", "energy"]
    rows = metric_rows(results, ["time", "energy"])
    assert [row["energy"] for row in rows] == [0.25, None]
    assert [*rows[0]][-2:] == ["time", "energy"]


def test_people_read_values_with_their_units(make: Make) -> None:
    """Numbers of fifteen digits are for machines; a rate is not counted for anything."""
    result = make(metrics=(ENERGY,), flop_rate=2.5e9)
    names = ["time", "energy", "flop_rate", "saved"]
    (row,) = metric_rows([result], names, for_people=True)
    assert [row[name] for name in names] == ["31.2 ms", "250 mJ", "2.50 GFLOP/s", None]
    assert [*metric_notes([result], ["flop_rate"])] == ["flop_rate: FLOP/s"]


def test_why_there_is_no_value_is_said_with_the_unit(make: Make) -> None:
    """Once, however many results lack it."""
    found = [*metric_notes([make(metrics=(ABSENT,)), make(metrics=(ABSENT,))], ["energy", "saved"])]
    assert found == ["energy: J per call; may not be read"]


@pytest.mark.parametrize("text", ["enrgy", "time,", ""])
def test_an_unknown_metric_is_refused_with_the_known_ones(make: Make, text: str) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=r"unknown metric.*time"):
        names_of(text, [make()])


def test_the_verb_shows_them(opperf: Any) -> None:
    """As rows in any form, the units on stderr."""
    opperf.run("run", "-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
    found = opperf.run("show", "--metrics", "time,outputs", "--format", "csv")
    assert found.stdout.splitlines()[0].endswith(",status,time,outputs")
    assert "time: s per call" in found.stderr
    assert opperf.run("show", "--metrics", "colour").returncode == 2
