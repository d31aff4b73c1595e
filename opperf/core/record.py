"""From an outcome to a record: the one place where a `Result` is put together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from opperf.core.result import METHOD_VERSION, Result, digest
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.caution import Caution
    from opperf.core.correctness import Comparison
    from opperf.core.measure import Samples
    from opperf.core.statistics import Summary


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is measured, apart from its direction.

    `counts` holds FLOP and bytes by direction; `definition` is what the declaration states beyond
    the inputs.
    """

    operator: Mapping[str, Any]
    inputs: Sequence[Mapping[str, Any]]
    attributes: Mapping[str, Any]
    initializer: str | None
    seed: int
    threads: int
    counts: Mapping[str, tuple[int | None, int | None]]
    output_bytes: int | None
    definition: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How one direction ended, and what was seen of it."""

    status: str
    reason: str | None = None
    signal: str | None = None
    stderr: str | None = None
    comparison: Comparison | None = None
    gradient_kind: str | None = None
    method: str | None = None
    samples: Samples | None = None
    summary: Summary | None = None
    cautions: Sequence[Caution] = ()
    memory: Mapping[str, int | None] = field(default_factory=dict)
    device_times: Mapping[str, Any] | None = None
    counters: Mapping[str, Any] | None = None
    noise: Mapping[str, Any] | None = None


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def assemble(
    subject: Subject,
    direction: str,
    outcome: Outcome,
    environment: Mapping[str, Any],
    started_at: str,
) -> Result:
    """Return the record of one direction."""
    flop_count, byte_count = subject.counts.get(direction, (None, None))
    median = outcome.summary.median if outcome.summary else None
    return Result(
        result_id=uuid4().hex,
        started_at=started_at,
        opperf_version=VERSION,
        status=outcome.status,
        reason=outcome.reason,
        signal=outcome.signal,
        stderr=outcome.stderr,
        operator=operator_fields(subject, direction, outcome),
        inputs=tuple(subject.inputs),
        attributes=subject.attributes,
        initializer=subject.initializer,
        seed=subject.seed,
        series_key=series_key(subject, direction, environment),
        definition_key=definition_key(subject, direction, outcome),
        samples=sample_fields(outcome),
        summary=summary_fields(outcome),
        flop_count=flop_count,
        byte_count=byte_count,
        flop_rate=rate(flop_count, median),
        byte_rate=rate(byte_count, median),
        memory={"outputs": subject.output_bytes, "workspace": None, "saved": None}
        | dict(outcome.memory),
        device_times=outcome.device_times,
        counters=outcome.counters,
        noise=outcome.noise,
        correctness=correctness_fields(outcome),
        environment=environment,
    )


def operator_fields(subject: Subject, direction: str, outcome: Outcome) -> dict[str, Any]:
    """Return what was run."""
    return {
        **subject.operator,
        "direction": direction,
        "cache": "hot",
        "mode": "inference" if direction == "forward" else "training",
        "backward_method": outcome.method if "backward" in direction else None,
    }


def series_key(subject: Subject, direction: str, environment: Mapping[str, Any]) -> str:
    """Return the key of all measurements of the same thing, whatever the versions."""
    named = {name: subject.operator[name] for name in ("name", "framework", "fused", "device")}
    model = environment.get("gpu") if subject.operator["device"] != "cpu" else None
    given = [subject.inputs, subject.attributes, subject.initializer]
    return digest([named, given, direction, subject.threads, model or environment.get("cpu")])


def definition_key(subject: Subject, direction: str, outcome: Outcome) -> str:
    """Return the key of what a number means: the declaration and the way of measuring."""
    given = [subject.inputs, subject.attributes, subject.initializer, subject.seed]
    what = [subject.operator["name"], given, subject.definition, direction]
    return digest([METHOD_VERSION, what, outcome.method])


def sample_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return the raw samples, in time order."""
    return asdict(outcome.samples) if outcome.samples else None


def summary_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return the summary with its warnings."""
    if outcome.summary is None or outcome.samples is None:
        return None
    notes = [{"code": note.code, "message": note.message} for note in outcome.cautions]
    return {
        **asdict(outcome.summary),
        "stop_reason": outcome.samples.stop_reason,
        "warnings": notes,
    }


def correctness_fields(outcome: Outcome) -> dict[str, Any] | None:
    """Return how far the outputs were from the reference, where they were compared."""
    if outcome.comparison is None:
        return None
    return {
        "reference": "numpy float64",
        "max_abs_error": outcome.comparison.max_abs_error,
        "max_rel_error": outcome.comparison.max_rel_error,
        "gradients": outcome.gradient_kind,
    }


def rate(count: int | None, seconds: float | None) -> float | None:
    """Return counts a second, or None where either is missing."""
    return count / seconds if count and seconds and seconds > 0 else None
