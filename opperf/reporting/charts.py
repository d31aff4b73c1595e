"""Histories as they are drawn: texts, ISO 8601 times and seconds; nothing of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class ChartPoint:
    """One run's result: when (ISO 8601, UTC), median and interval in seconds, and its versions.

    A median of None is a gap: `label` says why there is no time. It is never drawn as zero.
    """

    at: str
    median: float | None
    interval: tuple[float, float] | None = None
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class ChartChange:
    """A change point: from when on, new level over old, and what else changed there."""

    at: str
    ratio: float
    cause: str = ""
    acknowledged: bool = False


@dataclass(frozen=True, kw_only=True)
class HistoryChart:
    """One series: what was measured where, its points in time order, and what was found in them.

    `gaps` are two times each, between which nothing was measured.
    """

    operator: str
    framework: str
    direction: str
    inputs: str
    points: Sequence[ChartPoint]
    changes: Sequence[ChartChange] = ()
    gaps: Sequence[tuple[str, str]] = ()
    machine: str = ""
