"""From what another tool measured to a result, with nothing made up."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import convert

from opperf.core.errors import UsageError
from opperf.core.results.identity import OPERATOR, digest
from opperf.core.results.older_names import IMPORTED
from opperf.core.results.parts import InputRecord, OperatorRecord, SamplesRecord, SummaryRecord
from opperf.core.results.quantity import SubjectRecord
from opperf.core.results.result import Result
from opperf.core.statistics.plausible import is_time
from opperf.core.statistics.summary import summarize
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a file's results come from: the tool, a name of the run, when, and the machine."""

    tool: str
    run: str
    at: str
    machine: str
    cpu: str = "unknown"
    packages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One figure of another tool: an operator in a direction, and seconds per call.

    Of a network it is a step, and seconds per batch.
    """

    name: str
    kind: str = OPERATOR
    framework: str
    direction: str
    device: str = "cpu"
    dtype: str = "unknown"
    inputs: tuple[Mapping[str, Any], ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    seconds: Sequence[float] = ()


def to_result(measure: Measure, origin: Origin) -> Result:
    """Return the record of a figure; the same figure of the same file has the same id.

    Raises:
        UsageError: A time is not above zero, or beyond what anybody waits for.
    """
    for value in measure.seconds:
        if not is_time(value, 0.0):
            raise UsageError(f"{measure.name!r}: {value} s is no time above zero")
    what = [measure.name, measure.framework, measure.direction, measure.device, measure.dtype]
    given = [list(measure.inputs), dict(measure.attributes)]
    definition = digest([origin.tool, what, given])
    identity = [origin.run, definition, list(measure.seconds)]
    several = len(measure.seconds) > 1
    return Result(
        result_id=digest(identity) + digest([*identity, "second half"]),
        run_id=origin.run,
        started_at=origin.at,
        opperf_version=VERSION,
        tags=(origin.tool,),
        status="ok",
        subject=SubjectRecord(kind=measure.kind, name=measure.name),
        operator=OperatorRecord(
            name=measure.name,
            category=IMPORTED,
            framework=measure.framework,
            direction=measure.direction,
            size=None,
            fused=None,
            device=measure.device,
        ),
        inputs=convert(measure.inputs, tuple[InputRecord, ...]),
        attributes={**measure.attributes},
        series_key=digest([origin.cpu, origin.tool, what, given]),
        definition_key=definition,
        samples=samples_of(measure) if several else None,
        summary=summary_of(measure),
        environment={
            "machine_key": origin.machine,
            "cpu": origin.cpu,
            "packages": dict(origin.packages),
        },
    )


def samples_of(measure: Measure) -> SamplesRecord:
    """Return the times that a tool kept, of which it had taken off whatever it does."""
    return SamplesRecord(
        seconds=tuple(measure.seconds), iterations=1, first_call=0.0, null=0.0, left_out=()
    )


def summary_of(measure: Measure) -> SummaryRecord:
    """Return what the times amount to."""
    summary = asdict(summarize(measure.seconds))
    return SummaryRecord(**summary, stop_reason="runs", warnings=())


def tensor(name: str, shape: Sequence[Any], dtype: str) -> dict[str, Any]:
    """Return an input as records have it."""
    sizes = [int(size) for size in shape]
    return {"name": name, "shape": sizes, "dtype": dtype, "layout": "unknown", "nbytes": None}
