"""The result: one flat, versioned record of one operator in one direction, and its keys.

History of the format:

* opperf.result/1 (2026-11): the first.
* opperf.result/2 (2026-11): adds `noise`, `counters`, `device_times` and `roof`.
* opperf.result/3 (2026-11): adds `fusion`. Since 2026-11-22 `operator` has `process` and `cores`;
  without them they are as usual (`opperf.core.results.circumstances`).
* opperf.result/4 (2026-11): adds `supersedes`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.results.circumstances import unusual
from opperf.core.results.line import result_line
from opperf.core.results.status import NOISY, TIMED, has_time
from opperf.core.results.validation import check_record
from opperf.core.statistics.plausible import NO_TIME, is_time

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "opperf.result/4"
METHOD_VERSION = "2"
"""Raised when the way of measuring changes so that older numbers cannot be compared with newer."""
LATER_METHOD_VERSION = "3"
"""That of in-place operators, which have since had as many copies on each framework, and of several
threads, which have since waited for each other as the framework has it."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """One operator, in one direction, on one framework: what was run and what was seen.

    Seconds, bytes and FLOP throughout; None where nothing was measured, never zero. `supersedes` is
    the id of an earlier, unreliable result of the same row that this one stands in for.
    """

    schema: str = SCHEMA
    result_id: str
    supersedes: str | None = None
    run_id: str | None = None
    session: int = 0
    started_at: str
    opperf_version: str
    command: str | None = None
    tags: tuple[str, ...] = ()
    status: str
    reason: str | None = None
    signal: str | None = None
    stderr: str | None = None
    operator: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    initializer: str | None = None
    seed: int = 0
    series_key: str
    definition_key: str
    samples: Mapping[str, Any] | None = None
    summary: Mapping[str, Any] | None = None
    flop_count: int | None = None
    byte_count: int | None = None
    flop_rate: float | None = None
    byte_rate: float | None = None
    peak_fraction: float | None = None
    roof: Mapping[str, Any] | None = None
    memory: Mapping[str, Any] = field(default_factory=dict)
    device_times: Mapping[str, Any] | None = None
    counters: Mapping[str, Any] | None = None
    noise: Mapping[str, Any] | None = None
    fusion: Mapping[str, Any] | None = None
    correctness: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """The median in seconds per iteration, or None where the status says it is no time."""
        if self.status not in TIMED or self.summary is None:
            return None
        median = float(self.summary["median"])
        return median if is_time(median, 0.0) else None

    @property
    def reliable(self) -> bool:
        """Whether the median may be relied on: it has a 95 % interval and is not `noisy`.

        What comes from several medians (ratios, means, orders) takes reliable ones only.
        """
        return self.seconds is not None and self.status != NOISY and self.interval is not None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The median's 95 % interval in seconds, or None where there is none."""
        if self.seconds is None or self.summary is None or self.summary["interval"] is None:
            return None
        low, high = self.summary["interval"]
        return float(low), float(high)

    @property
    def companion(self) -> bool:
        """Whether nobody asked for it: a fused operator beside it is judged by it."""
        return self.operator.get("companion") is True

    @property
    def key(self) -> tuple[str, ...]:
        """What was asked for: equal for the same row of the same plan."""
        names = ("name", "framework", "direction", "device", "threads", "cache", "fused", "size")
        fields = {name: self.operator.get(name) for name in names} | unusual(self.operator)
        return (*map(str, fields.values()), input_key(self))

    def __repr__(self) -> str:
        return result_line(self)

    def to_mapping(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return asdict(self)

    def to_json(self) -> str:
        """Return the record as one line of JSON, without NaN."""
        return json.dumps(self.to_mapping(), allow_nan=False, separators=(",", ":"))


NAMES = frozenset(item.name for item in fields(Result))


def input_key(result: Result) -> str:
    """Return a hash of what the operator was given."""
    return digest([result.inputs, result.attributes, result.initializer, result.seed])


def digest(value: object) -> str:
    """Return 16 hexadecimal digits that stand for a JSON value."""
    text = json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]


def from_mapping(record: object) -> Result:
    """Return the result a JSON object stands for, or raise a UsageError that says what is wrong."""
    record = checked(record)
    chosen = {name: record[name] for name in NAMES}
    return Result(**{**chosen, "inputs": tuple(record["inputs"]), "tags": tuple(record["tags"])})


def checked(record: object) -> dict[str, Any]:
    """Return the fields of a record of this version that a JSON object stands for.

    Raises:
        UsageError: It is no record, or one of an unknown version.
    """
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    record = upgrade(record)
    if not record.keys() >= NAMES:
        raise UsageError(f"the record lacks {', '.join(sorted(NAMES - record.keys()))}")
    check_record(record)
    return without_impossible_time(record)


def without_impossible_time(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record, its status `no_time` where earlier versions took a median for a time."""
    median = record["summary"] and record["summary"]["median"]
    overhead = record["samples"] and record["samples"]["null"]
    if record["status"] not in TIMED or has_time(record["status"], median, overhead):
        return record
    return {**record, "status": "no_time", "reason": NO_TIME}


ADDED: Mapping[str, tuple[str, ...]] = {
    "opperf.result/1": ("roof", "device_times", "counters", "noise", "fusion", "supersedes"),
    "opperf.result/2": ("fusion", "supersedes"),
    "opperf.result/3": ("supersedes",),
    SCHEMA: (),
}
"""What a version of the format lacks, and what was therefore not measured when it was written."""


def upgrade(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record of any known version as one of this version."""
    version = record.get("schema")
    if not isinstance(version, str) or version not in ADDED:
        raise UsageError(
            f"unknown record version {repr(version)[:42]}; this opperf reads {', '.join(ADDED)}"
        )
    if version == SCHEMA:
        return record
    return {**dict.fromkeys(ADDED[version]), **record, "schema": SCHEMA}
