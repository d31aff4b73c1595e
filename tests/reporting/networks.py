"""Networks whose calls were measured, made up by plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from opperf.calls.format.file import parse_calls
from opperf.calls.format.values import call_from
from opperf.calls.measuring.description import attributes_of, describe_tensors, values_text
from opperf.core.results.quantity import SubjectRecord
from opperf.reporting.network import RankedNetwork, networks_of
from tests.calls import documents
from tests.reporting.conftest import result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.calls.format.model import CallRecord
    from opperf.core.results.result import Result

ROOFS = ({"bound": "flop", "rate": 1e11}, {"bound": "bytes", "rate": 1e10})


@dataclass(frozen=True)
class Timed:
    """A call of a made-up network: how often it is made, how long it takes, how it ended."""

    operator: str = "aten.mm.default"
    count: int = 1
    seconds: float | None = 1e-3
    rows: int = 8
    status: str = "ok"
    places: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def document(self) -> dict[str, Any]:
        """The call as a calls file has it."""
        value = {"type": "tensor", "shape": [self.rows, 16], "dtype": "float32"}
        return {
            "operator": self.operator, "count": self.count, "places": [*self.places],
            "arguments": [{"name": "self", "value": value}, {"name": "alpha", "value": 2}],
        }  # fmt: skip

    def result(self, record: CallRecord, roof: Mapping[str, Any] | None) -> Result:
        """Return what a run has of it."""
        call = call_from(to_builtins(record))
        place = {"framework": "pytorch", "device": "cpu", "threads": 2, "cache": "hot"}
        fields: dict[str, Any] = {
            "operator": {
                "name": self.operator,
                "category": "aten",
                "direction": "forward",
                "implementation": None,
                "size": None,
                "fused": None,
                **place,
            },
            "inputs": tuple(describe_tensors(call)),
            "attributes": attributes_of(call),
            "initializer": values_text(call),
            "subject": SubjectRecord(kind="call", name=self.operator),
            "roof": roof,
            "peak_fraction": roof and 0.5,
        }
        return result(
            name=self.operator, framework="pytorch", seconds=self.seconds, status=self.status,
            **{**fields, "result_id": f"{self.operator}{self.rows}", **self.more},
        )  # fmt: skip


FORWARD = {"module": "encoder.0", "phase": "forward", "count": 3}
BACKWARD = {"module": "encoder.1", "phase": "backward", "count": 1}
USUAL = (
    Timed("aten.relu.default", 2, 5e-4, places=[{**FORWARD, "count": 2}]),
    Timed("aten.mm.default", 4, 1e-3, places=[FORWARD, BACKWARD]),
    Timed("aten.mm.default", 1, 5e-3, rows=9, status="noisy", places=[BACKWARD]),
    Timed("aten.gone.default", 7, None, status="unsupported", more={"reason": "PyTorch has none"}),
)
"""Ten milliseconds in sum, half of which are noisy; a call has no time."""


def network(
    calls: Sequence[Timed] = USUAL,
    *,
    left_out: Sequence[Timed] = (),
    roofs: Sequence[Mapping[str, Any]] = ROOFS,
    run: str = "a run",
    **fields: Any,
) -> RankedNetwork:
    """Return a network of these calls; those left out have no result."""
    texts = [one.document for one in (*calls, *left_out)]
    record = parse_calls(documents.data(*texts, **{"measured": {}, "batch": 8, **fields}))
    results = [
        one.result(call, roofs[at % len(roofs)] if roofs else None)
        for at, (one, call) in enumerate(zip(calls, record.calls, strict=False))
    ]
    (found,) = networks_of(run, record, results, None)
    return found


def results_of(found: RankedNetwork) -> list[Result]:
    """Return the results of a network's calls."""
    return [one.result for one in found.ranking.calls if one.result]
