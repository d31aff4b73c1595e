"""The result: one flat, versioned record of one operator in one direction, and its keys.

History of the format:

* opperf.result/1 (2026-11): the first.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA = "opperf.result/1"
METHOD_VERSION = "1"
"""Raised when the way of measuring changes so that older numbers cannot be compared with newer."""

STATUSES = (
    "ok", "noisy", "failed", "crashed", "timeout", "out_of_memory", "wrong_result",
    "unsupported", "skipped", "interrupted",
)  # fmt: skip
TIMED = ("ok", "noisy")
"""The statuses whose time is a time."""
LARGEST = 1e300
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


TEXT, NUMBER, WHOLE, NOTHING = (str,), (int, float), (int,), (type(None),)
FIELDS: Mapping[str, tuple[type, ...]] = {
    "result_id": TEXT,
    "run_id": TEXT + NOTHING,
    "session": WHOLE,
    "started_at": TEXT,
    "opperf_version": TEXT,
    "command": TEXT + NOTHING,
    "tags": (list,),
    "status": TEXT,
    "reason": TEXT + NOTHING,
    "signal": TEXT + NOTHING,
    "stderr": TEXT + NOTHING,
    "operator": (dict,),
    "inputs": (list,),
    "attributes": (dict,),
    "initializer": TEXT + NOTHING,
    "seed": WHOLE,
    "series_key": TEXT,
    "definition_key": TEXT,
    "samples": (dict, *NOTHING),
    "summary": (dict, *NOTHING),
    "flop_count": WHOLE + NOTHING,
    "byte_count": WHOLE + NOTHING,
    "flop_rate": NUMBER + NOTHING,
    "byte_rate": NUMBER + NOTHING,
    "peak_fraction": NUMBER + NOTHING,
    "memory": (dict,),
    "correctness": (dict, *NOTHING),
    "environment": (dict,),
}
OPERATOR_FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "category", "framework", "direction", "device"), TEXT),
    "implementation": TEXT + NOTHING,
    "size": TEXT + NOTHING,
    "fused": (bool, *NOTHING),
}
INPUT_FIELDS: Mapping[str, tuple[type, ...]] = {"name": TEXT, "shape": (list,), "dtype": TEXT}
SUMMARY_FIELDS: Mapping[str, tuple[type, ...]] = {
    "n": WHOLE,
    "median": NUMBER,
    "interval": (list, *NOTHING),
    "precision": NUMBER + NOTHING,
    "warnings": (list,),
}
SAMPLE_FIELDS: Mapping[str, tuple[type, ...]] = {
    "seconds": (list,),
    "iterations": WHOLE,
    "first_call": NUMBER,
    "null": NUMBER,
}
WARNING_FIELDS: Mapping[str, tuple[type, ...]] = {"code": TEXT, "message": TEXT}


def check_record(record: Mapping[str, Any]) -> None:
    """Refuse a record whose fields have the wrong types, as random valid-looking lines do."""
    check_fields("", record, FIELDS)
    check_fields("operator.", record["operator"], OPERATOR_FIELDS)
    for item in record["inputs"]:
        check_fields("inputs[].", item, INPUT_FIELDS)
        check_numbers("inputs[].shape", item["shape"], WHOLE)
    if not all(isinstance(tag, str) for tag in record["tags"]):
        raise UsageError("field 'tags' must hold texts")
    if record["status"] not in STATUSES:
        raise UsageError(f"unknown status {record['status']!r}; allowed: {', '.join(STATUSES)}")
    if record["summary"] is not None:
        check_summary(record["summary"])
    elif record["status"] in TIMED:
        raise UsageError("field 'summary' is missing where the status is a time's")
    if record["samples"] is not None:
        check_fields("samples.", record["samples"], SAMPLE_FIELDS)
        check_numbers("samples.seconds", record["samples"]["seconds"], NUMBER)


def check_summary(summary: Mapping[str, Any]) -> None:
    """Refuse a summary whose numbers are none."""
    check_fields("summary.", summary, SUMMARY_FIELDS)
    check_numbers("summary.median", [summary["median"]], NUMBER)
    check_numbers("summary.precision", [summary["precision"] or 0], NUMBER)
    for note in summary["warnings"]:
        check_fields("summary.warnings[].", note, WARNING_FIELDS)
    interval = summary["interval"]
    if interval is not None:
        check_numbers("summary.interval", interval, NUMBER)
        if len(interval) != 2:  # noqa: PLR2004 - low and high
            raise UsageError("field 'summary.interval' must hold two numbers")


def check_fields(
    place: str, mapping: object, kinds_by_name: Mapping[str, tuple[type, ...]]
) -> None:
    """Refuse a mapping that lacks one of these fields or has it in another type."""
    if not isinstance(mapping, dict):
        raise UsageError(f"field {place.rstrip('.')!r} must be an object")
    for name, kinds in kinds_by_name.items():
        value = mapping.get(name)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            allowed = " or ".join(kind.__name__ for kind in kinds)
            found = type(value).__name__
            raise UsageError(f"field {place + name!r} must be {allowed}, not {found}")


def check_numbers(place: str, values: Sequence[Any], kinds: tuple[type, ...]) -> None:
    """Refuse values that are no finite numbers of these kinds."""
    for value in values:
        number = isinstance(value, kinds) and not isinstance(value, bool)
        if not number or not abs(value) <= LARGEST:
            raise UsageError(f"field {place!r} must hold finite numbers")
