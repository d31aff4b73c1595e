"""What is measured, how it ended, and what follows from both: keys, counts and rates.

The measuring child imports this module.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.results.circumstances import unusual
from opperf.core.results.identity import (
    LATER_METHOD_VERSION,
    METHOD_VERSION,
    OPERATOR,
    digest,
)
from opperf.core.results.older_names import name_in_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.statistics.summary import Summary
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric


IN_PLACE = "pristine_copies"
"""The method of operators that change their inputs."""
LARGEST_SET = 2**62
"""Bytes: more than any cache."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is measured, apart from its direction.

    `counts` holds FLOP and bytes by direction; `definition` is what the declaration states beyond
    the inputs; each of a fused operator's `parts` hands its outputs to the next.
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
    parts: Sequence[Subject] = ()
    kind: str = OPERATOR


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How one direction ended, and what was seen of it.

    `conditions` are facts of the environment as they were right after the samples. Where the
    operator `is_view`, it moves nothing, so that there are no bytes to count. `reference` says what
    its outputs were compared with.
    """

    status: str
    reason: str | None = None
    signal: str | None = None
    stderr: str | None = None
    comparison: Comparison | None = None
    reference: str = "numpy float64"
    gradient_kind: str | None = None
    method: str | None = None
    is_view: bool = False
    samples: Samples | None = None
    summary: Summary | None = None
    warnings: Sequence[MeasurementWarning] = ()
    memory: Mapping[str, int | None] = field(default_factory=dict)
    device_times: Mapping[str, Any] | None = None
    metrics: Sequence[Metric] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)


def series_key(subject: Subject, direction: str, environment: Mapping[str, Any]) -> str:
    """Return the key of all measurements of the same thing, whatever the versions."""
    named = {name: subject.operator[name] for name in ("framework", "fused", "device", "cache")}
    named |= {"name": name_in_keys(subject.operator["name"]), **unusual(subject.operator)}
    model = environment.get("gpu") if subject.operator["device"] != "cpu" else None
    given = [subject.inputs, subject.attributes, subject.initializer]
    return digest([named, given, direction, subject.threads, model or environment.get("cpu")])


def definition_key(subject: Subject, direction: str, outcome: Outcome) -> str:
    """Return the key of what a number means: the declaration and the way of measuring."""
    given = [subject.inputs, subject.attributes, subject.initializer, subject.seed]
    what = [name_in_keys(subject.operator["name"]), given, subject.definition, direction]
    changed = outcome.method == IN_PLACE or subject.threads > 1
    return digest([LATER_METHOD_VERSION if changed else METHOD_VERSION, what, outcome.method])


def counts_of(subject: Subject, direction: str, outcome: Outcome) -> tuple[int | None, int | None]:
    """Return FLOP and bytes; a view moves none."""
    flop_count, byte_count = subject.counts.get(direction, (None, None))
    return flop_count, None if outcome.is_view else byte_count


def times_of(outcome: Outcome) -> tuple[float | None, float | None]:
    """Return the median, and the longest time that its interval allows."""
    if outcome.summary is None:
        return None, None
    return outcome.summary.median, outcome.summary.interval and outcome.summary.interval[1]


def working_set(subject: Subject, outcome: Outcome, byte_count: int | None) -> dict[str, Any]:
    """Return on what an operator computes, and where.

    Cold operands come from memory, however few they are: then the largest working set counts.
    """
    return {
        "dtype": subject.definition.get("dtype"),
        "nbytes": LARGEST_SET if subject.operator.get("cache") == "cold" else byte_count,
        "place": {
            "device": subject.operator["device"],
            "threads": subject.threads,
            "in_place": outcome.method == IN_PLACE,
        },
    }


def rate(count: int | None, seconds: float | None) -> float | None:
    """Return counts a second, or None where either is missing."""
    return count / seconds if count and seconds and seconds > 0 else None
