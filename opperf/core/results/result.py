"""The result: one flat, versioned record of one operator in one direction, and its keys.

History of the format:

* opperf.result/1 (2026-11): the first.
* opperf.result/2 (2026-11): adds `noise`, `counters`, `device_times` and `roof`.
* opperf.result/3 (2026-11): adds `fusion`. Since 2026-11-22 `operator` has `process` and `cores`;
  without them they are as usual (`opperf.core.results.circumstances`).
* opperf.result/4 (2026-11): adds `supersedes`.
* opperf.result/5 (2026-11): adds `subject`, which may be another kind of work than an operator, and
  `metrics`: a quantity that comes needs no further version. Since 2026-11-23 a record of a
  specification's test has `meta`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from opperf.core.results.cells import html_table
from opperf.core.results.identity import SCHEMA
from opperf.core.results.json_key import json_key
from opperf.core.results.line import result_line
from opperf.core.results.metrics import Metrics
from opperf.core.results.parts import (
    CorrectnessRecord,
    Count,
    CountersRecord,
    DeviceTimesRecord,
    FusionRecord,
    InputRecord,
    Key,
    MemoryRecord,
    NoiseRecord,
    Number,
    OperatorRecord,
    Part,
    RoofRecord,
    SamplesRecord,
    Status,
    SummaryRecord,
    WarningRecord,
    Whole,
    written,
)
from opperf.core.results.quantity import MetricRecord, SubjectRecord
from opperf.core.results.status import NOISY, TIMED
from opperf.core.statistics.plausible import is_time

if TYPE_CHECKING:
    ProbedMetrics = Metrics
else:  # what msgspec reads
    ProbedMetrics = tuple[MetricRecord, ...]


def since(version: int) -> Meta:
    """Return the mark of a field that came with a version; records of earlier ones lack it."""
    return Meta(extra={"since": version})


class Result(Part, frozen=True, kw_only=True):
    """One operator, in one direction, on one framework: what was run and what was seen.

    Seconds, bytes and FLOP throughout; None where nothing was measured, never zero.
    """

    schema: str = SCHEMA
    result_id: Annotated[str, written(pattern="^[0-9a-f]{32}$")]
    supersedes: Annotated[
        str | None,
        since(4),
        written("the result_id of an earlier, unreliable result of the row that this stands for"),
    ] = None
    run_id: str | None = None
    session: Annotated[Whole, written(minimum=0)] = 0
    started_at: Annotated[str, written(format="date-time")]
    opperf_version: str
    command: str | None = None
    tags: tuple[str, ...] = ()
    status: Status
    reason: str | None = None
    signal: str | None = None
    stderr: Annotated[str | None, written(maxLength=4096)] = None
    subject: Annotated[SubjectRecord | None, since(5)] = None
    operator: OperatorRecord
    inputs: tuple[InputRecord, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    initializer: str | None = None
    seed: Annotated[Whole, written(minimum=0)] = 0
    series_key: Key
    definition_key: Key
    samples: SamplesRecord | None = None
    summary: SummaryRecord | None = None
    flop_count: Count | None = None
    byte_count: Count | None = None
    flop_rate: Annotated[Number | None, written("FLOP/s")] = None
    byte_rate: Annotated[Number | None, written("B/s")] = None
    peak_fraction: Annotated[
        Number | None,
        written("of the measured roof; null where `opperf doctor --peaks` was not run here"),
    ] = None
    roof: Annotated[RoofRecord | None, since(2)] = None
    memory: MemoryRecord = MemoryRecord()
    device_times: Annotated[DeviceTimesRecord | None, since(2)] = None
    counters: Annotated[CountersRecord | None, since(2)] = None
    noise: Annotated[NoiseRecord | None, since(2)] = None
    fusion: Annotated[FusionRecord | None, since(3)] = None
    metrics: Annotated[
        ProbedMetrics,
        since(5),
        written("what probes have found; quantities of other fields are not repeated here"),
    ] = ()  # type: ignore[assignment] # an attribute of a result makes Metrics of it
    correctness: CorrectnessRecord | None = None
    meta: Annotated[
        dict[str, Any] | UnsetType,
        written("present where a specification says what it was measured for: a commit, say"),
    ] = UNSET
    environment: Annotated[
        dict[str, Any], written("machine facts, collected in the process that measured")
    ] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """The median in seconds per iteration, or None where the status says it is no time."""
        if self.status not in TIMED or self.summary is None:
            return None
        return self.summary.median if is_time(self.summary.median, 0.0) else None

    @property
    def median(self) -> float | None:
        """The same under the name of the statistic that it is."""
        return self.seconds

    @property
    def reliable(self) -> bool:
        """Whether the median may be relied on: it has a 95 % interval and is not `noisy`.

        What comes from several medians (ratios, means, orders) takes reliable ones only.
        """
        return self.seconds is not None and self.status != NOISY and self.interval is not None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The median's 95 % interval in seconds, or None where there is none."""
        return self.summary.interval if self.summary and self.seconds is not None else None

    @property
    def warnings(self) -> tuple[WarningRecord, ...]:
        """Why its time may not be what it seems."""
        return self.summary.warnings if self.summary else ()

    @property
    def companion(self) -> bool:
        """Whether nobody asked for it: a fused operator beside it is judged by it."""
        return self.operator.companion is True

    @property
    def key(self) -> tuple[str, ...]:
        """What was asked for: equal for the same row of the same plan."""
        names = ("name", "framework", "direction", "device", "threads", "cache", "fused", "size")
        named = [getattr(self.operator, name) for name in names]
        return (*map(str, [*named, *self.operator.unusual.values()]), input_key(self))

    def __repr__(self) -> str:
        return result_line(self)

    def _repr_html_(self) -> str:
        return html_table([self])

    def to_json(self) -> str:
        """Return the record as one line of JSON, without NaN."""
        return json.dumps(self.to_mapping(), allow_nan=False, separators=(",", ":"))


PROBED = Result.__dict__["metrics"]
"""The field as the struct has it; as an attribute it is also asked by name."""
setattr(Result, "metrics", property(lambda result: Metrics.of(PROBED.__get__(result), result)))  # noqa: B010 - of a struct


def input_key(result: Result) -> str:
    """Return a text that is equal for results whose operators were given the same."""
    return json_key([result.inputs, result.attributes, result.initializer, result.seed])
