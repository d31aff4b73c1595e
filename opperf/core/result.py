"""The result: one flat, versioned record of one operator in one direction, and its keys.

History of the format:

* opperf.result/1 (2026-11): the first.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "opperf.result/1"
METHOD_VERSION = "1"
"""Raised when the way of measuring changes so that older numbers cannot be compared with newer."""

STATUSES = (
    "ok", "noisy", "failed", "crashed", "timeout", "out_of_memory", "wrong_result",
    "unsupported", "skipped", "interrupted",
)  # fmt: skip
TIMED = ("ok", "noisy")
"""The statuses whose time is a time."""
TROUBLE = ("failed", "crashed", "timeout", "out_of_memory", "wrong_result", "interrupted")


@dataclass(frozen=True, kw_only=True)
class Result:
    """One operator, in one direction, on one framework: what was run and what was seen.

    Seconds, bytes and FLOP throughout; None where nothing was measured, never zero.
    """

    schema: str = SCHEMA
    result_id: str
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
    memory: Mapping[str, Any] = field(default_factory=dict)
    correctness: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """The median in seconds per iteration, or None where the status says it is no time."""
        if self.status not in TIMED or self.summary is None:
            return None
        return float(self.summary["median"])

    @property
    def key(self) -> tuple[str, ...]:
        """What was asked for: equal for the same row of the same plan."""
        names = ("name", "framework", "direction", "device", "fused", "size")
        return (*(str(self.operator.get(name)) for name in names), input_key(self))

    def to_mapping(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return asdict(self)

    def to_json(self) -> str:
        """Return the record as one line of JSON, without NaN."""
        return json.dumps(self.to_mapping(), allow_nan=False, separators=(",", ":"))


def input_key(result: Result) -> str:
    """Return a hash of what the operator was given."""
    return digest([result.inputs, result.attributes, result.initializer, result.seed])


def digest(value: object) -> str:
    """Return 16 hexadecimal digits that stand for a JSON value."""
    text = json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]


def from_mapping(record: object) -> Result:
    """Return the result a JSON object stands for, or raise a UsageError that says what is wrong."""
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    version = record.get("schema")
    if version != SCHEMA:
        raise UsageError(f"unknown record version {version!r}; this opperf reads {SCHEMA}")
    known = {item.name for item in fields(Result)}
    if missing := sorted(known - set(record)):
        raise UsageError(f"the record lacks {', '.join(missing)}")
    check_record(record)
    chosen = {name: record[name] for name in known}
    return Result(**{**chosen, "inputs": tuple(record["inputs"]), "tags": tuple(record["tags"])})


SHAPES_OF_FIELDS: Mapping[str, tuple[type, ...]] = {
    "result_id": (str,),
    "session": (int,),
    "started_at": (str,),
    "status": (str,),
    "operator": (dict,),
    "inputs": (list,),
    "attributes": (dict,),
    "tags": (list,),
    "series_key": (str,),
    "definition_key": (str,),
    "samples": (dict, type(None)),
    "summary": (dict, type(None)),
    "memory": (dict,),
    "environment": (dict,),
}
OPERATOR_TEXTS = ("name", "category", "framework", "direction", "device")


def check_record(record: Mapping[str, Any]) -> None:
    """Refuse a record whose fields have the wrong types, as random valid-looking lines do."""
    for name, kinds in SHAPES_OF_FIELDS.items():
        if not isinstance(record[name], kinds):
            raise UsageError(f"field {name!r} is {type(record[name]).__name__}")
    if record["status"] not in STATUSES:
        raise UsageError(f"unknown status {record['status']!r}; allowed: {', '.join(STATUSES)}")
    for name in OPERATOR_TEXTS:
        if not isinstance(record["operator"].get(name), str):
            raise UsageError(f"field 'operator.{name}' is missing or not a text")
    if not all(isinstance(item, dict) and "shape" in item for item in record["inputs"]):
        raise UsageError("field 'inputs' must hold objects with a shape")
    if record["status"] in TIMED:
        check_summary(record["summary"])


def check_summary(summary: Mapping[str, Any] | None) -> None:
    """Refuse a time that is no positive finite number."""
    median = (summary or {}).get("median")
    number = isinstance(median, (int, float)) and not isinstance(median, bool)
    if not number or not math.isfinite(float(median or 0)):
        raise UsageError("field 'summary.median' must be a finite number where the status is ok")
