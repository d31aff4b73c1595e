"""The time of a network's whole step, as its calls file states it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.core.results.result import Result

CAST = "cast"
"""The warning of a call that is measured in another element type than it was captured in."""
OLD = 1.0
"""Days after which a machine may no longer be as it was."""


@dataclass(frozen=True, kw_only=True)
class WholeStep:
    """What a step of the network took where it was captured.

    Args:
        seconds: the median.
        interval: its 95 % interval.
        device: where it ran.
        threads: how many threads it had.
        machine: the key of the machine.
        measured_at: when.
        profiler: the seconds of each operator by the framework's profiler.
        profiled: the seconds of the whole step while it was profiled.
        page_faults: how many pages of memory it was given by the system.
        seconds_per_fault: what one of them took.
    """

    seconds: float
    interval: tuple[float, float] | None = None
    device: str | None = None
    threads: int | None = None
    machine: str | None = None
    measured_at: datetime | None = None
    profiler: Mapping[str, float] = field(default_factory=dict)
    profiled: float | None = None
    page_faults: float | None = None
    seconds_per_fault: float | None = None

    def doubts(self, results: Sequence[Result]) -> Iterator[str]:
        """Yield why its time may not be comparable with these results of its calls."""
        machines = {str(result.environment.get("machine_key")) for result in results}
        if self.machine is not None and machines - {self.machine}:
            yield "on another machine"
        if self.device is not None and {one.operator.device for one in results} - {self.device}:
            yield f"on {self.device}"
        threads = {result.operator.threads for result in results}
        if self.threads is not None and threads - {self.threads, None}:
            yield f"with {self.threads} thread{'s' if self.threads != 1 else ''}"
        if any(warning.code == CAST for result in results for warning in result.warnings):
            yield "in other element types"
        moments = filter(None, (moment_of(result.started_at) for result in results))
        began = min(moments, default=None)
        if began and self.measured_at:
            days = abs(began - self.measured_at).total_seconds() / 86400
            if days > OLD:
                yield f"{days:.0f} days apart from its calls"


def whole_step(record: CallsRecord) -> WholeStep | None:
    """Return what a calls file says of the whole step, None where that is no time.

    What of it is not as it should be is as if it were not there: a file may be of anybody's.
    """
    found = record.measured
    seconds = number(found.get("seconds"))
    if not seconds:
        return None
    ends, times = found.get("interval"), found.get("profiler")
    low, high = map(number, ends) if isinstance(ends, list) and len(ends) == 2 else (None, None)  # noqa: PLR2004
    threads, machine = found.get("threads"), found.get("machine_key")
    profiler = {
        name: value
        for name, value in ((name, number(each)) for name, each in pairs(times))
        if value is not None
    }
    return WholeStep(
        seconds=seconds,
        interval=None if low is None or high is None else (low, high),
        device=record.device,
        threads=threads if type(threads) is int else None,
        machine=machine if isinstance(machine, str) else None,
        measured_at=moment_of(found.get("measured_at")),
        profiler=profiler,
        profiled=number(found.get("profiled_seconds")),
        page_faults=number(found.get("page_faults")),
        seconds_per_fault=number(found.get("seconds_per_fault")),
    )


def pairs(value: Any) -> list[tuple[str, Any]]:
    """Return the items of a mapping, none of anything else."""
    return [*value.items()] if isinstance(value, dict) else []


def number(value: Any) -> float | None:
    """Return a finite number that is not negative, None of anything else."""
    known = type(value) in (int, float) and value >= 0 and isfinite(value)
    return float(value) if known else None


def moment_of(text: Any) -> datetime | None:
    """Return the time that a text states, in UTC where it does not say."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
