"""The history of a series, as reports read it; it holds no connection to any store."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING

from opperf.core.moments import compact

if TYPE_CHECKING:
    from opperf.core.results.parts import InputRecord
    from opperf.history.host import MeasuredHost

NAME = 10
"""Characters of a series' name that the name of a change has."""


@dataclass(frozen=True, kw_only=True)
class SeriesSubject:
    """What a series measures, and where; `inputs` and `attributes` are as in a record.

    `name` stands for series, definition and machine together; `marks` say what of the way it is
    measured is not as by default. `host` is None where the store does not say which it was.
    """

    name: str
    operator: str
    category: str
    framework: str
    direction: str
    device: str
    size: str | None
    inputs: tuple[InputRecord, ...]
    attributes: dict[str, object]
    series_key: str
    definition_key: str
    machine_key: str
    cpu: str
    marks: tuple[str, ...] = ()
    host: MeasuredHost | None = None


@dataclass(frozen=True, kw_only=True)
class HistoryMetric:
    """What the values of a history are of: a metric, its unit, and which value is better."""

    name: str
    unit: str
    better: str | None

    def is_worse(self, ratio: float) -> bool:
        """Return whether a value that is so many times the earlier one is worse."""
        return ratio < 1 if self.better == "more" else ratio > 1 and self.better == "less"

    def word(self, ratio: float) -> str:
        """Return what a value is called that is so many times the earlier one."""
        if self.better not in {"less", "more"}:
            return "more" if ratio > 1 else "less"
        words = ("slower", "faster") if self.name == TIME.name else ("worse", "better")
        return words[not self.is_worse(ratio)]


TIME = HistoryMetric(name="time", unit="s", better="less")


@dataclass(frozen=True, kw_only=True)
class Point:
    """One session: when it began in milliseconds since 1970, and its median time in seconds.

    `value` is another metric's where the history is of one. `value`, `low`, `high` and `n` are None
    where there is no sound value: a gap, never a zero.
    """

    at: int
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    status: str = "ok"
    run: str = ""
    session: int = 0


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A fact of the environment that is not the same on the two sides of a change."""

    fact: str
    before: object
    after: object


@dataclass(frozen=True, kw_only=True)
class Acknowledgment:
    """An acknowledged change, its expiry (milliseconds since 1970) and its reason."""

    until: int
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Change:
    """A step between two levels, each the median of its sessions.

    `index` counts the series' points above zero, `at` is the first of them after the step. The
    ratio is after / before with its 95 % interval; `threshold` is the least relative change that
    this series' own noise lets pass for one; `p_value` is that of Student's t-test.
    """

    index: int
    at: int
    last_before: int
    before: float
    after: float
    ratio: float
    interval: tuple[float, float]
    threshold: float
    p_value: float
    sessions_before: int
    sessions_after: int
    differences: tuple[Difference, ...] = ()
    acknowledgment: Acknowledgment | None = None


@dataclass(frozen=True, kw_only=True)
class Gap:
    """From the last session before it to the first one after it, in milliseconds since 1970."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """A user's note about a date."""

    at: int
    note: str


@dataclass(frozen=True, kw_only=True, repr=False)
class History:
    """A series on one machine: its points in time order, and what is to be said of them.

    `previous_machine` is the machine that measured the same before this one began.
    """

    subject: SeriesSubject
    points: tuple[Point, ...]
    metric: HistoryMetric = TIME
    changes: tuple[Change, ...] = ()
    gaps: tuple[Gap, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    previous_machine: str | None = None

    def __repr__(self) -> str:
        subject = self.subject
        where = f"{subject.operator} {subject.direction} on {subject.framework}, {subject.device}"
        return f"{where}: {len(self.points)} sessions, {len(self.changes)} changes"

    @property
    def with_value(self) -> tuple[Point, ...]:
        """The points that have a value."""
        return tuple(point for point in self.points if point.value is not None)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How the newest session of a series stands against a baseline's, both in seconds.

    `threshold` is the relative difference of two sessions that its own noise makes likely, None
    where there are too few of them to know. `differences` are those of the instruction sets.
    """

    subject: SeriesSubject
    baseline: float
    newest: float
    at: int
    threshold: float | None
    differences: tuple[Difference, ...] = ()

    @property
    def ratio(self) -> float:
        """The newest time over the baseline's."""
        return self.newest / self.baseline

    @property
    def verdict(self) -> str:
        """What to make of the ratio."""
        if self.threshold is None:
            return "too few sessions"
        if abs(log(self.ratio)) <= log1p(self.threshold):
            return "within noise"
        return "slower" if self.ratio > 1 else "faster"


@dataclass(frozen=True, kw_only=True)
class Failure:
    """That a series which had a time has none in its newest session."""

    subject: SeriesSubject
    at: int
    status: str
    last: Point


@dataclass(frozen=True, kw_only=True)
class Move:
    """That a machine measures from a time on what another one measured before, so many series."""

    at: int
    before: str
    after: str
    series: int


@dataclass(frozen=True, kw_only=True)
class FoundChange:
    """A change and the history that it is in."""

    history: History
    change: Change

    @property
    def name(self) -> str:
        """What it is acknowledged by: its series and its time; behind them a metric but time."""
        name = f"{self.history.subject.name[:NAME]}-{compact(self.change.at)}"
        metric = self.history.metric
        return name if metric == TIME else f"{name}-{metric.name}"
