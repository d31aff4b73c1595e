"""Networks as rows: throughput, the time of a step, and that of its phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import NETWORK
from opperf.core.units import format_precision, format_seconds
from opperf.reporting.text import clean
from opperf.reporting.wording import codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.quantity import MetricRecord
    from opperf.core.results.result import Result

STEPS = ("training step", "inference step")
"""What the attribute `of` says of a network's whole step, as `opperf model` times it."""
PHASES = ("data", "host_to_device", "forward", "backward", "update", "phases")
TIMES = ("step", *(name.replace("_", " ") for name in PHASES))
KEEP = (
    "model", "step", "framework", "session", "examples/s", "phase", "batch", "forward", "backward",
    "update", "data",
)  # fmt: skip
"""The columns that matter, the most first."""


def is_step(result: Result) -> bool:
    """Return whether a record is of a network's step."""
    kind = result.subject.kind if result.subject else None
    return kind == NETWORK and result.attributes.get("of") in STEPS


def model_rows(results: Sequence[Result], *, ascii_only: bool = False) -> list[dict[str, object]]:
    """Return a row a network, framework and session, without columns that hold nothing."""
    sessions = len({result.session for result in results}) > 1
    rows = [row_of(result, sessions=sessions, ascii_only=ascii_only) for result in results]
    return without_empty_columns(rows)


def without_empty_columns(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return rows without columns that hold nothing."""
    held = [
        name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)
    ]
    return [{name: row[name] for name in held} for row in rows]


def row_of(result: Result, *, sessions: bool, ascii_only: bool) -> dict[str, object]:
    """Return the row of one record; a mark stands before what is not to be relied on."""
    given, metrics = result.attributes, {metric.name: metric for metric in result.metrics}
    mark = "! " if result.status == "noisy" else ""
    return {
        "model": clean(result.operator.name),
        "framework": clean(result.operator.framework),
        "phase": str(given.get("of", "")).partition(" ")[0],
        "batch": batch_text(given),
        **({"session": result.session} if sessions else {}),
        "examples/s": throughput_text(metrics.get("throughput"), mark, ascii_only=ascii_only),
        "step": step_text(result, ascii_only=ascii_only),
        **{name.replace("_", " "): seconds_of(metrics.get(name)) for name in PHASES},
        "notes": ", ".join(codes(result)) or None,
    }


def batch_text(given: Any) -> str:
    """Return "16", or "16 x 4" of four devices."""
    devices = given.get("devices", 1)
    return clean(given.get("batch")) + (f" x {clean(devices)}" if devices != 1 else "")


def throughput_text(metric: MetricRecord | None, mark: str, *, ascii_only: bool) -> str | None:
    """Return "1234 ±0.5%"."""
    if metric is None or metric.value is None:
        return None
    half = None
    if metric.interval is not None:
        half = (metric.interval[1] - metric.interval[0]) / 2 / metric.value
    spread = "" if half is None else f" {format_precision(half, ascii_only=ascii_only)}"
    return f"{mark}{metric.value:.4g}{spread}"


def step_text(result: Result, *, ascii_only: bool) -> str:
    """Return the time of a step, else how it ended."""
    if result.seconds is None:
        return result.status
    precision = result.summary.precision if result.summary else None
    spread = format_precision(precision, ascii_only=ascii_only) if precision else ""
    return f"{format_seconds(result.seconds)} {spread}".strip()


def seconds_of(metric: MetricRecord | None) -> str | None:
    """Return a phase's time."""
    return None if metric is None or metric.value is None else format_seconds(metric.value)


def model_notes(results: Sequence[Result]) -> Iterator[str]:
    """Yield what is to be known of rows: why one has no time, and what its data and phases say."""
    for result in results:
        name = f"{clean(result.operator.name)} on {clean(result.operator.framework)}"
        if result.reason:
            yield f"{name}: {result.status}: {clean(result.reason)}"
        for warning in result.summary.warnings if result.summary else ():
            if warning.code in ("data_bound", "data_left_out", "data_repeated"):
                yield f"{name}: {clean(warning.message)}"
    if any(result.seconds for result in results):
        yield (
            "the phases were timed in other batches than the step, and the device awaited between "
            "them: their sum is not the step's time"
        )
