"""Verdicts on A against B, as `opperf ab --format json` prints them, one an operator's row."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from math import isfinite, log
from typing import TYPE_CHECKING, Any

from opperf.comparing.verdict import VERDICTS, WORSE, is_narrow
from opperf.core.errors import UsageError, unknown
from opperf.reporting.compared_metric import metric_fields
from opperf.reporting.pairing import MeanRatio, mean_of
from opperf.reporting.verdict_labels import OF_NETWORKS, inputs_label, row_label
from opperf.reporting.wording import attributes_text, direction_text
from opperf.reporting.wording import number as finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.comparing.row import ComparedRow

BROKEN = ("newly_fails", "wrong_result")
"""The verdicts for which a change is held back; `slower` and `worse` are once confirmed."""
TEXTS = ("operator", "framework", "direction")
OPTIONAL_TEXTS = (
    "size", "inputs", "reason", "metric", "unit", "kind", "arm", "reference", "job",
)  # fmt: skip
NUMBERS = ("a_seconds", "b_seconds", "ratio")
ANY_NUMBERS = ("a_value", "b_value", "difference")
COUNTS = ("sessions", "pairs")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One row: medians in seconds, ratio B / A with its interval, and what follows from it.

    None where there is none: a row that crashed on one side has no ratio. `control` says that both
    sides were A. `kind` tells rows of networks and their calls from an operator's. Of another
    `metric` than the time the medians are values in its `unit`, `exact` where all sessions said the
    same. Of several arms A is the `reference` and B the `arm`, and rows of one `job` are of the
    same work.
    """

    operator: str
    framework: str
    direction: str
    size: str | None = None
    inputs: str | None = None
    a_seconds: float | None = None
    b_seconds: float | None = None
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    reliable: bool | None = None
    sessions: int | None = None
    pairs: int | None = None
    verdict: str
    confirmed: bool | None = None
    reason: str | None = None
    control: bool | None = None
    metric: str | None = None
    unit: str | None = None
    a_value: float | None = None
    b_value: float | None = None
    difference: float | None = None
    exact: bool | None = None
    kind: str | None = None
    arm: str | None = None
    reference: str | None = None
    job: str | None = None

    @property
    def is_reliable(self) -> bool:
        """Whether means are over its ratio; where nobody says, its interval does."""
        return is_narrow(self.interval) if self.reliable is None else self.reliable

    @property
    def holds_back(self) -> bool:
        """Whether it is a regression: a slower one has to be confirmed."""
        worse = self.verdict in BROKEN or (self.verdict in WORSE and bool(self.confirmed))
        return worse and not self.control


def verdict_of(row: ComparedRow) -> Verdict:
    """Return the verdict of a comparison's own row."""
    values = {
        name: value
        for name, value in metric_fields(row.values).items()
        if name in {"metric", "unit", "a_value", "b_value", "difference", "exact"}
    }
    return Verdict(
        operator=row_label(row),
        framework=row.framework,
        direction=direction_text(row.direction),
        size=row.size,
        inputs=inputs_label(row),
        a_seconds=row.a_seconds,
        b_seconds=row.b_seconds,
        ratio=row.ratio,
        interval=row.interval,
        reliable=row.reliable,
        sessions=row.sessions,
        pairs=row.pairs,
        verdict=row.verdict,
        confirmed=row.confirmed,
        reason=row.reason,
        control=row.control,
        kind=row.kind,
        arm=row.arm,
        reference=row.reference,
        job=row.job,
        **values,
    )


def verdicts_from(rows: object) -> list[Verdict]:
    """Return the verdicts that a JSON document holds.

    Raises:
        UsageError: It is not an array of such objects; names the row and the field.
    """
    if not isinstance(rows, list):
        raise UsageError("not a JSON array; give what `opperf ab --format json` printed")
    return [verdict_from(number, row) for number, row in enumerate(rows, start=1)]


def verdict_from(number: int, row: object) -> Verdict:
    """Return the verdict of one row."""
    if not isinstance(row, dict):
        raise UsageError(f"row {number}: not a JSON object")
    known = {field.name for field in fields(Verdict)}
    for name, value in row.items():
        if name in known and not is_allowed(name, value):
            raise UsageError(f"row {number}: field {name!r} cannot be {str(value)[:40]!r}")
    if missing := [name for name in (*TEXTS, "verdict") if name not in row]:
        raise UsageError(f"row {number}: lacks {', '.join(missing)}")
    if row["verdict"] not in VERDICTS:
        raise UsageError(f"row {number}: {unknown('verdict', row['verdict'], VERDICTS)}")
    found = {name: value for name, value in row.items() if name in known}
    if isinstance(found.get("inputs"), dict):
        found["inputs"] = attributes_text(found["inputs"])
    ends = found.get("interval")
    return Verdict(**{**found, "interval": (ends[0], ends[1]) if ends else None})


def is_allowed(name: str, value: Any) -> bool:
    """Return whether a field may hold a value."""
    if name in (*TEXTS, "verdict"):
        return isinstance(value, str)
    if value is None or name in OPTIONAL_TEXTS:
        return value is None or isinstance(value, str | dict if name == "inputs" else str)
    check = CHECKS.get(name)
    return check(value) if check else isinstance(value, bool)


def is_interval(value: object) -> bool:
    """Return whether it is two positive numbers."""
    return isinstance(value, list) and len(value) == len("ab") and all(map(is_positive, value))


def is_count(value: object) -> bool:
    """Return whether it is a whole number of at least 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_positive(value: object) -> bool:
    """Return whether it is a finite number above zero."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and isfinite(value) and value > 0  # type: ignore[arg-type,operator]


CHECKS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(NUMBERS, is_positive),
    **dict.fromkeys(COUNTS, is_count),
    **dict.fromkeys(ANY_NUMBERS, lambda value: finite(value) is not None),
    "interval": is_interval,
}
"""What the fields hold that are neither texts nor truths."""


def worst_first(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts by how much they ask for attention, then by how far they are from 1.

    Of the same verdict, ratios that are not reliable come last.
    """
    return sorted(
        verdicts,
        key=lambda row: (
            bool(row.control),
            VERDICTS.index(row.verdict),
            not row.is_reliable,
            -distance(row),
        ),
    )


def distance(row: Verdict) -> float:
    """Return how far a ratio is from 1, slower and faster alike."""
    return abs(log(row.ratio)) if row.ratio else 0.0


def mean_ratio(verdicts: Sequence[Verdict]) -> MeanRatio | None:
    """Return the geometric mean of the reliable ratios, None without any.

    Without controls, and what is of a whole network beside its calls.
    """
    parts = (row for row in verdicts if not row.control and row.kind not in OF_NETWORKS)
    rows = [row for row in parts if row.ratio]
    ratios = [row.ratio for row in rows if row.ratio and row.is_reliable]
    return mean_of(ratios, len(rows)) if ratios else None


def mean_ratios(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, MeanRatio]]:
    """Yield what is over what and the mean of those ratios: of several arms each one's own."""
    reference, *others = arms_of(verdicts) or ["A"]
    titles: dict[str | None, str] = {name: f"{name} / {reference}" for name in others}
    for name, title in (titles or {None: "B / A"}).items():
        if mean := mean_ratio([row for row in verdicts if row.arm == name]):
            yield title, mean


def counts(verdicts: Sequence[Verdict]) -> Mapping[str, int]:
    """Return how many rows, controls left out, have which verdict, worst first."""
    found = Counter(row.verdict for row in verdicts if not row.control)
    return {name: found[name] for name in VERDICTS if found[name]}


def arms_of(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the names of the arms, the reference first; none where there are two without names."""
    rows = [row for row in verdicts if row.arm is not None and row.reference is not None]
    return [*dict.fromkeys(str(name) for row in rows for name in (row.reference, row.arm))]
