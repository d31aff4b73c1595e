"""The form of a record, and what its fields must be to each other.

The schema that ships (result.schema.json) says what this version writes. The form says what any
version has written and readers rely on: a field that a version lacks may be missing, and none is
of another type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.forms import (
    ANY_OBJECT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Form,
    check,
    list_of,
    object_of,
)
from opperf.core.results.status import STATUSES, TIMED

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATOR = Form({
    **dict.fromkeys(("name", "category", "framework", "direction", "device"), TEXT),
    **dict.fromkeys(("implementation", "size"), TEXT.or_null),
    "fused": TRUTH.or_null,
    **dict.fromkeys(("backward_method", "cache", "mode", "process"), TEXT.or_absent),
    **dict.fromkeys(("cores", "threads"), WHOLE.or_absent),
    "companion": TRUTH.or_absent,
})  # fmt: skip
INPUT = Form({
    "name": TEXT, "shape": list_of(WHOLE), "dtype": TEXT, "layout": TEXT.or_absent,
    "nbytes": WHOLE.or_absent,
})  # fmt: skip
SAMPLES = Form({
    "seconds": list_of(NUMBER), "iterations": WHOLE.at_least(1), "first_call": NUMBER,
    "null": NUMBER, "method": TEXT.or_absent, "stop_reason": TEXT.or_absent,
    "steady": TRUTH.or_absent, "left_out": list_of(WHOLE).or_absent,
})  # fmt: skip
SUMMARY = Form(
    {
        "n": WHOLE.at_least(1),
        "median": NUMBER,
        "interval": list_of(NUMBER, 2).or_null,
        "precision": NUMBER.or_null,
        "warnings": list_of(Form({"code": TEXT, "message": TEXT})),
        **dict.fromkeys(
            (
                "n_eff",
                "minimum",
                "mean",
                "mad",
                "iqr",
                "p5",
                "p90",
                "p99",
                "outlier_share",
                "drift",
            ),
            NUMBER.or_absent,
        ),
        "bimodal": TRUTH.or_absent,
        "stop_reason": TEXT.or_absent,
    }
)
MEMORY = Form(dict.fromkeys(("outputs", "workspace", "saved"), WHOLE.or_absent))
DEVICE_TIMES = Form({
    **dict.fromkeys(("submit", "device", "latency"), NUMBER.or_absent), "graph": TRUTH.or_absent,
})  # fmt: skip
NOISE = Form(dict.fromkeys(
    ("marked", "cpu_share", "context_switches", "page_faults", "steal", "pressure"),
    NUMBER.or_absent,
))  # fmt: skip
FUSION = Form({
    "kernels": list_of(TEXT).or_null, "parts": list_of(TEXT), "traffic_bytes": WHOLE.or_null,
    "bandwidth": NUMBER.or_null,
})  # fmt: skip
CORRECTNESS = Form({
    "reference": TEXT.or_absent, "max_abs_error": NUMBER.or_absent,
    "max_rel_error": NUMBER.or_absent, "gradients": TEXT.or_absent,
})  # fmt: skip
ENVIRONMENT = Form({
    **dict.fromkeys(("machine_key", "cpu", "architecture"), TEXT.or_absent),
    **dict.fromkeys(("python", "packages", "instruction_sets_allowed"), ANY_OBJECT.or_absent),
    "instruction_sets": list_of(TEXT).or_absent,
    "affinity": list_of(WHOLE).or_absent,
})  # fmt: skip
"""What readers look at; all else is shown as it is."""
RECORD = Form({
    **dict.fromkeys(
        ("result_id", "started_at", "opperf_version", "status", "series_key", "definition_key"),
        TEXT,
    ),
    **dict.fromkeys(
        ("supersedes", "run_id", "command", "reason", "signal", "stderr", "initializer"),
        TEXT.or_null,
    ),
    **dict.fromkeys(("session", "seed"), WHOLE),
    **dict.fromkeys(("flop_count", "byte_count"), WHOLE.or_null),
    **dict.fromkeys(("flop_rate", "byte_rate", "peak_fraction"), NUMBER.or_null),
    "tags": list_of(TEXT),
    "operator": object_of(OPERATOR),
    "inputs": list_of(INPUT),
    "attributes": ANY_OBJECT,
    "samples": object_of(SAMPLES).or_null,
    "summary": object_of(SUMMARY).or_null,
    "roof": object_of(Form({"bound": TEXT, "rate": NUMBER})).or_null,
    "memory": object_of(MEMORY),
    "device_times": object_of(DEVICE_TIMES).or_null,
    "counters": object_of(Form({"instructions": NUMBER.or_absent})).or_null,
    "noise": object_of(NOISE).or_null,
    "fusion": object_of(FUSION).or_null,
    "correctness": object_of(CORRECTNESS).or_null,
    "environment": object_of(ENVIRONMENT),
})  # fmt: skip


def check_record(record: Mapping[str, Any]) -> None:
    """Refuse a record that is not of the form, or that contradicts itself.

    Raises:
        UsageError: Names the field.
    """
    check("", record, RECORD)
    if record["status"] not in STATUSES:
        shown = record["status"][:40]
        raise UsageError(f"unknown status {shown!r}; allowed: {', '.join(STATUSES)}")
    if record["summary"] is None and record["status"] in TIMED:
        raise UsageError("field 'summary' is missing where the status is a time's")
    milliseconds_of(record["started_at"])
