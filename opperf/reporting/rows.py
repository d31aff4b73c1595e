"""One flat object a result: what --format json and csv show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.status import TIMED
from opperf.reporting.wording import (
    attributes_text,
    codes,
    dtypes,
    inputs_text,
    interval,
    number,
    timed_number,
)

if TYPE_CHECKING:
    from opperf.core.result import Result

SUBJECT = (
    "category", "framework", "implementation", "direction", "size", "fused", "device",
)  # fmt: skip
FIELDS = (
    "operator", *SUBJECT, "dtype", "inputs", "attributes", "status", "reason",
    "seconds", "low", "high", "precision", "n", "first_call",
    "flop_rate", "byte_rate", "output_bytes", "warnings", "run_id", "result_id",
)  # fmt: skip


def flat(result: Result) -> dict[str, object]:
    """Return a result as one flat object with the keys of `FIELDS`.

    Seconds, FLOP/s, B/s and bytes; missing is None, never zero. `seconds` is the median, `low` and
    `high` its 95 % interval within the one process, `precision` half the interval's width over the
    median; all are None where the status says that there is no time.
    """
    low, high = interval(result) or (None, None)
    timed = result.status in TIMED
    return {
        "operator": result.operator["name"],
        **{name: result.operator.get(name) for name in SUBJECT},
        "dtype": " ".join(dtypes(result)) or None,
        "inputs": inputs_text(result.inputs) or None,
        "attributes": attributes_text(result.attributes) or None,
        "status": result.status,
        "reason": result.reason,
        "seconds": result.seconds,
        "low": low,
        "high": high,
        "precision": timed_number(result, "precision"),
        "n": timed_number(result, "n"),
        "first_call": number((result.samples or {}).get("first_call")),
        "flop_rate": number(result.flop_rate) if timed else None,
        "byte_rate": number(result.byte_rate) if timed else None,
        "output_bytes": number(result.memory.get("outputs")),
        "warnings": " ".join(codes(result)) or None,
        "run_id": result.run_id,
        "result_id": result.result_id,
    }
