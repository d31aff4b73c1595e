"""Whether a JSON object has the fields of a record, in the types that its readers rely on."""

from __future__ import annotations

from operator import contains
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.results.status import STATUSES, TIMED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LARGEST = 1e300
TEXT, NUMBER, WHOLE, NOTHING = (str,), (int, float), (int,), (type(None),)
FIELDS: Mapping[str, tuple[type, ...]] = {
    "result_id": TEXT,
    "supersedes": TEXT + NOTHING,
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
    "roof": (dict, *NOTHING),
    "memory": (dict,),
    "device_times": (dict, *NOTHING),
    "counters": (dict, *NOTHING),
    "noise": (dict, *NOTHING),
    "fusion": (dict, *NOTHING),
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
FUSION_FIELDS: Mapping[str, tuple[type, ...]] = {
    "kernels": (list, *NOTHING),
    "parts": (list,),
    "traffic_bytes": WHOLE + NOTHING,
    "bandwidth": NUMBER + NOTHING,
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
    if record.get("fusion") is not None:
        check_fusion(record["fusion"])


def check_fusion(fusion: Mapping[str, Any]) -> None:
    """Refuse what fusing is judged by where it is no names and no numbers."""
    check_fields("fusion.", fusion, FUSION_FIELDS)
    for name in ("traffic_bytes", "bandwidth"):
        check_numbers(f"fusion.{name}", [fusion[name] or 0], NUMBER)
    if not all(isinstance(text, str) for text in (*(fusion["kernels"] or ()), *fusion["parts"])):
        raise UsageError("fields 'fusion.kernels' and 'fusion.parts' must hold texts")


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
    """Refuse a mapping that lacks one of these fields or has it in another type.

    A record of an earlier version may lack fields of its own that can be null; none within them.
    """
    if not isinstance(mapping, dict):
        raise UsageError(f"field {place.rstrip('.')!r} must be an object")
    if kinds_by_name.keys() <= mapping.keys():
        types = map(type, map(mapping.__getitem__, kinds_by_name))
        if all(map(contains, kinds_by_name.values(), types)):
            return  # as in nearly every record; what follows finds out what is wrong
    for name, kinds in kinds_by_name.items():
        if place and name not in mapping:
            raise UsageError(f"field {place + name!r} is missing")
        value = mapping.get(name)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            allowed = " or ".join(kind.__name__ for kind in kinds)
            found = type(value).__name__
            raise UsageError(f"field {place + name!r} must be {allowed}, not {found}")


def check_numbers(place: str, values: Sequence[Any], kinds: tuple[type, ...]) -> None:
    """Refuse values that are no finite numbers of these kinds."""
    if float in kinds and set(map(type, values)) == {float} and sum(map(abs, values)) <= LARGEST:
        return  # as in nearly every record
    for value in values:
        number = isinstance(value, kinds) and not isinstance(value, bool)
        if not number or not abs(value) <= LARGEST:
            raise UsageError(f"field {place!r} must hold finite numbers")
