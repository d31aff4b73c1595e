"""Networks whose calls were measured, made up by plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from opperf.calls.format.file import parse_calls
from opperf.calls.format.values import call_from
from opperf.calls.measuring.description import (
    attributes_of,
    call_key,
    describe_tensors,
    values_text,
)
from opperf.calls.measuring.plan import AS_CAPTURED
from opperf.cli.calls.run import FILE, keep_calls
from opperf.core.results.quantity import SubjectRecord
from opperf.measuring.worker.handle import Limits
from opperf.planning.selection import Selection
from opperf.reporting.network import RankedNetwork, networks_of
from opperf.storing import Journal, RunDirectory
from tests.calls import documents
from tests.records import changed
from tests.reporting.conftest import result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from opperf.calls.format.model import CallRecord, CallsRecord
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
        fields = {"roof": roof, "peak_fraction": roof and 0.5, "status": self.status, **self.more}
        return result_of_call(record, seconds=self.seconds, **fields)


def result_of_call(record: CallRecord, **fields: Any) -> Result:
    """Return what a run on PyTorch has of a call, on two threads."""
    call = call_from(to_builtins(record))
    inputs = describe_tensors(call)
    operator = {
        "name": record.operator, "category": "aten", "direction": "forward", "framework": "pytorch",
        "implementation": None, "size": None, "fused": None, "device": "cpu", "threads": 2,
        "cache": "hot",
    }  # fmt: skip
    of_call: dict[str, Any] = {
        "operator": operator,
        "inputs": tuple(inputs),
        "attributes": attributes_of(call),
        "initializer": values_text(call),
        "subject": SubjectRecord(kind="call", name=record.operator),
        "result_id": call_key(call).ljust(32, "0"),
        "series_key": call_key(call),
        "definition_key": "0" * 16,
    }
    return result(name=record.operator, framework="pytorch", **{**of_call, **fields})


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


def write_run(runs: Path, record: CallsRecord, results: Sequence[Result]) -> RunDirectory:
    """Write a run of these calls as `opperf run --calls` does."""
    selection = asdict(Selection(frameworks=("pytorch",), dtype=AS_CAPTURED, threads=(2,)))
    fields = {
        "command": "opperf run --calls x", "tags": [], "selection": selection, "calls": FILE,
        "limits": asdict(Limits()), "variables": {}, "packages": {}, "retry": "no",
    }  # fmt: skip
    directory = RunDirectory.create(runs, fields)
    keep_calls(record, directory)
    with Journal(directory.results_path) as journal:
        journal.append([changed(result, run_id=directory.run_id) for result in results])
    return directory
