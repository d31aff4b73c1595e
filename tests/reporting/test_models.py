"""Networks as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.quantity import MetricRecord
from opperf.reporting.models import model_notes, model_rows

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
    (wide,) = model_rows([result], 200)
    assert "data" not in wide
    assert {"forward", "backward", "update", "phases"} <= wide.keys()
    (narrow,) = model_rows([result], 70)
    assert {"examples/s", "step", "forward"} <= narrow.keys()
    assert narrow.keys() < wide.keys()
    first, *_ = model_notes([result], 70)
    assert first.startswith("left out, as the terminal is 70 columns wide: ")
    assert set(first.partition(": ")[2].split(", ")) == wide.keys() - narrow.keys()
    assert not any("left out" in note for note in model_notes([result], 200))
