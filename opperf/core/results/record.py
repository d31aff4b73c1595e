"""From an outcome to a record, as JSON: the one place where what was seen is put together.

The measuring child imports this module. It sends what it has put together, and the parent makes a
`opperf.core.results.result.Result` of it: types and bounds are held against it there.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from opperf.core.results.identity import SCHEMA
from opperf.core.results.outcome import (
    Outcome,
    Subject,
    counts_of,
    definition_key,
    rate,
    series_key,
    times_of,
    working_set,
)
from opperf.core.results.plausibility import impossible_rates
from opperf.core.roofline.peaks import roof_of
from opperf.core.roofline.peaks_file import load_peaks
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.core.timing.metric import Metric

COUNTED = ("instructions",)
"""The metrics that are the record's `counters`."""


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def assemble(
    subject: Subject,
    direction: str,
    outcome: Outcome,
    environment: Mapping[str, Any],
    started_at: str,
) -> dict[str, Any]:
    """Return the record of one direction."""
    flop_count, byte_count = counts_of(subject, direction, outcome)
    median, longest = times_of(outcome)
    flop_rate, byte_rate = rate(flop_count, median), rate(byte_count, median)
    given = working_set(subject, outcome, byte_count)
    peaks = load_peaks(environment.get("machine_key"))
    roof = roof_of(peaks, (flop_rate, byte_rate), **given)
    lowest = rate(flop_count, longest), rate(byte_count, longest)
    impossible = impossible_rates(peaks, lowest, **given)
    return {
        "schema": SCHEMA,
        "result_id": uuid4().hex,
        "supersedes": None,
        "run_id": None,
        "session": 0,
        "started_at": started_at,
        "opperf_version": VERSION,
        "command": None,
        "tags": [],
        "status": outcome.status,
        "reason": outcome.reason,
        "signal": outcome.signal,
        "stderr": outcome.stderr,
        "subject": {"kind": subject.kind, "name": subject.operator["name"]},
        "operator": operator_fields(subject, direction, outcome),
        "inputs": [*subject.inputs],
        "attributes": {**subject.attributes},
        "initializer": subject.initializer,
        "seed": subject.seed,
        "series_key": series_key(subject, direction, environment),
        "definition_key": definition_key(subject, direction, outcome),
        "samples": sample_fields(outcome),
        "summary": summary_fields(outcome, impossible),
        "flop_count": flop_count,
        "byte_count": byte_count,
        "flop_rate": flop_rate,
        "byte_rate": byte_rate,
        "peak_fraction": roof.fraction if roof else None,
        "roof": {"bound": roof.bound, "rate": roof.rate} if roof else None,
        "memory": memory_fields(subject, direction, outcome),
        "device_times": outcome.device_times,
        "counters": counter_fields(outcome),
        "noise": noise_fields(outcome),
        "fusion": fusion_fields(subject, direction, environment),
        "metrics": [metric_fields(metric) for metric in others(outcome)],
        "correctness": correctness_fields(outcome),
        "environment": {**environment, **outcome.conditions},
    }


def memory_fields(subject: Subject, direction: str, outcome: Outcome) -> dict[str, int | None]:
    """Return the bytes of a call; unless looked for, those of a forward's outputs as declared."""
    declared = None if "backward" in direction else subject.output_bytes
    return {"outputs": declared, "workspace": None, "saved": None, **outcome.memory}


def operator_fields(subject: Subject, direction: str, outcome: Outcome) -> dict[str, Any]:
    """Return what was run."""
    return {
        **subject.operator,
        "direction": direction,
        "mode": "inference" if direction == "forward" else "training",
        "backward_method": outcome.method if "backward" in direction else None,
    }


def sample_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return the raw samples, in time order; what disturbed them has a field of its own."""
    if outcome.samples is None:
        return None
    fields = asdict(outcome.samples)
    del fields["noise"]
    return {**fields, "null": fields.pop("loop_overhead")}


def noise_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return what disturbed the samples, where that was looked at."""
    noise = outcome.samples and outcome.samples.noise
    return asdict(noise) if noise else None


def counter_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return the hardware counts, where there are any: they have a field of their own."""
    found = {metric.name: metric.value for metric in outcome.metrics if is_counted(metric)}
    return found or None


def others(outcome: Outcome) -> list[Metric]:
    """Return the metrics that have no field of their own, and why a field has no value."""
    return [metric for metric in outcome.metrics if not is_counted(metric)]


def is_counted(metric: Metric) -> bool:
    """Return whether a metric is one of the hardware counts, and known."""
    return metric.name in COUNTED and metric.value is not None


def metric_fields(metric: Metric) -> dict[str, Any]:
    """Return a metric as a record has it: without names of what is counted, or bounds not set."""
    fields = asdict(metric)
    del fields["counted"]
    for bound in ("min_value", "max_value"):
        if fields[bound] is None:
            del fields[bound]
    return fields


def summary_fields(outcome: Outcome, more: Iterable[MeasurementWarning]) -> dict[str, Any] | None:
    """Return the summary with its warnings and some more."""
    if outcome.summary is None or outcome.samples is None:
        return None
    warnings = [
        {"code": warning.code, "message": warning.message} for warning in (*outcome.warnings, *more)
    ]
    return {
        **asdict(outcome.summary),
        "stop_reason": outcome.samples.stop_reason,
        "warnings": warnings,
    }


def correctness_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return how far the outputs were from the reference, where they were compared."""
    if outcome.comparison is None:
        return None
    return {
        "reference": outcome.reference,
        "max_abs_error": outcome.comparison.max_abs_error,
        "max_rel_error": outcome.comparison.max_rel_error,
        "gradients": outcome.gradient_kind,
    }


def fusion_fields(
    subject: Subject, direction: str, environment: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return what fusing is judged by, None of an operator that has one form only.

    In training a backward may need what the parts hand to each other, fused or not. The kernels are
    counted in the memory pass.
    """
    if subject.operator["fused"] is None:
        return None
    handed_on = sum(part.output_bytes or 0 for part in subject.parts[:-1])
    saved = 2 * handed_on if handed_on and direction == "forward" else None
    peaks = load_peaks(environment.get("machine_key")) if saved else None
    place = {"device": subject.operator["device"], "threads": subject.threads}
    return {
        "kernels": None,
        "parts": [series_key(part, direction, environment) for part in subject.parts],
        "traffic_bytes": saved,
        "bandwidth": peaks.bandwidth(saved, **place) if peaks and saved else None,
    }
