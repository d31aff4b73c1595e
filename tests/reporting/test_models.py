"""Networks as rows."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from opperf.core.results.quantity import MetricRecord
from opperf.reporting.models import KEEP, TIMES, model_rows
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from tests.conftest import MakeResult

UNITS = {"throughput": "1/s"}


def test_columns_give_way_where_there_is_no_room(make_result: MakeResult) -> None:
    """What holds nothing is never there; a line names what else is not."""
    values = {"throughput": 8.0, "forward": 0.1, "backward": 0.2, "update": 0.01, "phases": 0.31}
    result = make_result(
        subject={"kind": "network", "name": "resnet18"},
        attributes={"of": "training step", "batch": 8},
        metrics=[
            MetricRecord(name=name, unit=UNITS.get(name, "s"), value=value, better=None, per="step")
            for name, value in values.items()
        ],
    )
    (wide,) = rows = model_rows([result])
    assert "data" not in wide
    assert {"forward", "backward", "update", "phases"} <= wide.keys()
    stream = StringIO()
    print_rows(rows, "table", stream, width=70, keep=KEEP, times=TIMES)
    head, row, *below = stream.getvalue().splitlines()
    assert "examples/s" in head
    assert "step [ms]" in head
    assert len(head) <= 70
    hidden = " ".join(map(str.strip, below))
    assert hidden.startswith("not shown at 70 columns: ")
    named = hidden.partition(": ")[2].split(", ")
    assert set(named) == {name for name in wide if name not in head}
    assert row.split()[0] == wide["model"]
