"""The row of a comparison: what is said of one operator, as tables, JSON and reports have it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from opperf.comparing.campaign import TIME
from opperf.comparing.verdict import WORSE, is_narrow
from opperf.core.results.identity import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.comparing.campaign import Evidence
    from opperf.comparing.verdict import Judgment
    from opperf.core.results.pair import Pair
    from opperf.core.results.result import Result

PREDICTION = "prediction"
"""The kind of a row that follows from those of a network's calls."""


@dataclass(frozen=True, kw_only=True)
class ComparedMetric:
    """What a row says of another metric than the time: medians over sessions, in its unit.

    `difference` is that of B less A, with its interval as `bounds` where it was judged
    `by_difference`, since there is no ratio. `exact`: all sessions said the same, and so there is
    no interval.
    """

    metric: str
    unit: str
    a: float | None
    b: float | None
    difference: float | None
    bounds: tuple[float, float] | None
    by_difference: bool
    exact: bool


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """One operator, B against A: seconds per call, the ratio of B over A, and what it says.

    `control` rows are A against A: nothing may be found there. `confirmed` is None where a verdict
    needs no confirmation or nobody has looked. `disturbed` counts sessions beside a busy neighbor.
    Means are over rows whose ratio is `reliable`.

    Rows of another `kind` than an operator are of a network: of a call, of which a step makes so
    many (`count`), of the whole step, or of what the calls predict of it; `agrees` says whether the
    measured step does.

    Of several arms A is the `reference` and B the `arm`; the rows of a `job` are of the same work.
    """

    operator: str
    framework: str
    direction: str
    size: str | None
    fused: bool | None
    inputs: Mapping[str, Any]
    a_seconds: float | None
    b_seconds: float | None
    ratio: float | None
    interval: tuple[float, float] | None
    reliable: bool
    sessions: int
    disturbed: int
    pairs: int
    verdict: str
    confirmed: bool | None
    reason: str | None
    control: bool
    values: ComparedMetric | None = None
    kind: str = OPERATOR
    count: int | None = None
    agrees: bool | None = None
    arm: str | None = None
    reference: str | None = None
    job: str | None = None


def rows_of(evidence: Evidence, counts: Mapping[str, int] | None = None) -> list[ComparedRow]:
    """Return a row for each job, and one for each control.

    Args:
        evidence: what was found.
        counts: how often a network's step makes a call, by the key of its job.

    """
    known = counts or {}
    keys = [key for key in evidence.pairs if key[0] in {"comparison", "control"}]
    rows = ((key, row_of(evidence, key, purpose)) for purpose, key in keys)
    return [replace(row, count=known.get(key)) for key, row in rows]


def row_of(evidence: Evidence, key: str, purpose: str) -> ComparedRow:
    """Return the row of a job or of a control."""
    pairs = evidence.of(key, purpose)
    judgment = evidence.judgment(key, purpose)
    first = pairs[0]
    seconds = [
        [getattr(pair, name) for pair in pairs if getattr(pair, name) is not None]
        for name in ("a_seconds", "b_seconds")
    ]
    worse = purpose == "comparison" and judgment.verdict in WORSE
    values = metric_of(evidence.rules.metric, pairs, judgment)
    return ComparedRow(
        **subject_of(first),
        a_seconds=median(seconds[0]) if seconds[0] else None,
        b_seconds=median(seconds[1]) if seconds[1] else None,
        ratio=judgment.ratio,
        interval=judgment.interval,
        reliable=is_narrow(judgment.interval) or (judgment.exact and judgment.ratio is not None),
        sessions=judgment.sessions,
        disturbed=judgment.disturbed,
        pairs=sum(len(pair.values.a if pair.values else pair.a_blocks) for pair in pairs),
        verdict=judgment.verdict,
        confirmed=evidence.confirmed(key) if worse else None,
        reason=judgment.reason,
        control=purpose == "control",
        values=values,
    )


def metric_of(name: str, pairs: Sequence[Pair], judgment: Judgment) -> ComparedMetric | None:
    """Return what a row says of another metric than the time, None of the time."""
    if name == TIME:
        return None
    found = [pair.values for pair in pairs if pair.values]
    medians = [each.medians for each in found]
    a, b = (median(side) for side in zip(*medians, strict=True)) if medians else (None, None)
    return ComparedMetric(
        metric=name,
        unit=found[0].unit if found else "",
        a=a,
        b=b,
        difference=judgment.difference,
        bounds=judgment.bounds,
        by_difference=judgment.by_difference,
        exact=judgment.exact,
    )


def subject_of(record: Pair | Result) -> dict[str, Any]:
    """Return the fields of a row that say what it is of."""
    named = ("framework", "direction", "size", "fused")
    shapes = {item.name: item.shape for item in record.inputs}
    return {
        "kind": kind_of(record),
        "operator": record.operator.name,
        **{name: getattr(record.operator, name) for name in named},
        "inputs": {**shapes, **record.attributes},
    }


def kind_of(record: Pair | Result) -> str:
    """Return what kind of subject a record is of; older ones know operators only."""
    return getattr(record.subject, "kind", OPERATOR)
