"""Results for tests, made and changed by plain values, be they sound or not."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from opperf.core.results import parts
from opperf.core.results.result import Result

KINDS: dict[str, type[parts.Part]] = {
    "operator": parts.OperatorRecord, "samples": parts.SamplesRecord, "noise": parts.NoiseRecord,
    "summary": parts.SummaryRecord, "roof": parts.RoofRecord, "memory": parts.MemoryRecord,
    "device_times": parts.DeviceTimesRecord, "counters": parts.CountersRecord,
    "fusion": parts.FusionRecord, "correctness": parts.CorrectnessRecord,
    "inputs": parts.InputRecord, "warnings": parts.WarningRecord,
}  # fmt: skip
USUAL: dict[str, dict[str, Any]] = {
    "samples": {"seconds": (1e-6,), "iterations": 1, "first_call": 0.0, "null": 0.0},
    "summary": {"n": 6, "median": 1e-6, "interval": None, "precision": None, "warnings": ()},
    "fusion": {"kernels": None, "parts": (), "traffic_bytes": None, "bandwidth": None},
}
"""What a part has that is not said of it."""


def typed(name: str, value: Any) -> Any:
    """Return the value of a field, its objects as the classes that they are and lists as tuples."""
    if isinstance(value, dict) and name in KINDS:
        fields = {**USUAL.get(name, {}), **value}
        return KINDS[name](**{inner: typed(inner, found) for inner, found in fields.items()})
    if isinstance(value, (list, tuple)):
        return tuple(typed(name, item) for item in value)
    return value


def result_of(**fields: Any) -> Result:
    """Return a result with these fields, its parts given as classes or as JSON."""
    return Result(**{name: typed(name, value) for name, value in fields.items()})


def changed(result: Result, **changes: Any) -> Result:
    """Return a result with other fields; of a part given as JSON the other fields stay."""
    fields = structs.asdict(result)
    for name, value in changes.items():
        part = fields[name]
        merged = isinstance(part, Struct) and isinstance(value, dict)
        fields[name] = {**part.to_mapping(), **value} if merged else value
    return result_of(**fields)
