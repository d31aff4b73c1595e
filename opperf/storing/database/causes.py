"""What the changes of stored series are due to: the code, or a host of several of a kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from opperf.core.calibration import CALIBRATION
from opperf.core.results.older_names import OLDER_NAMES
from opperf.history.cause import HostEvidence, cause_of
from opperf.history.shift import CalibrationStep, shift_of
from opperf.history.steps import HostSeries
from opperf.storing.database import schema
from opperf.storing.database.cells import rows
from opperf.storing.database.hosts import hosts_of
from opperf.storing.database.medians import medians_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from opperf.history.cause import Cause
    from opperf.history.host import MeasuredHost
    from opperf.history.model import FoundChange
    from opperf.history.shift import HostShift

BEFORE = 60
"""Sessions before the earliest of the changes in which hosts' own changes are searched."""


@dataclass
class HostGroups:
    """The series of hosts: those of one subject by kind, and the calibration sets of each host."""

    hosts: Mapping[str, MeasuredHost]
    own: dict[str, Row[Any]] = field(default_factory=dict)
    """The series by the names that changes are known by."""
    siblings: dict[tuple[str, bytes], list[Row[Any]]] = field(default_factory=dict)
    calibration: dict[tuple[str, str], list[Row[Any]]] = field(default_factory=dict)
    """By machine and device."""

    def add(self, row: Row[Any]) -> None:
        """Add a series, where it is known which host it is of."""
        host = self.hosts.get(row.machine_key)
        if host is None:
            return
        self.own[row.digest.hex()] = row
        self.siblings.setdefault((host.kind_key, bytes(row.subject)), []).append(row)
        if operator_of(row) in CALIBRATION:
            self.calibration.setdefault((row.machine_key, row.device), []).append(row)

    def siblings_of(self, row: Row[Any]) -> list[Row[Any]]:
        """Return the series of the same subject on all hosts of the kind, its own among them."""
        return self.siblings[self.hosts[row.machine_key].kind_key, bytes(row.subject)]

    def calibration_of(self, row: Row[Any]) -> list[Row[Any]]:
        """Return the calibration series of a series' host, on the same device."""
        return self.calibration.get((row.machine_key, row.device), [])


def operator_of(row: Row[Any]) -> str:
    """Return today's name of a series' operator."""
    return str(OLDER_NAMES.get(row.operator, row.operator))


def host_groups(connection: Connection) -> HostGroups:
    """Return all series of a store by their hosts."""
    table = schema.series.c
    names = ("id", "digest", "subject", "machine_key", "operator", "framework", "device")
    groups = HostGroups(hosts_of(connection))
    for row in rows(connection, select(*(table[name] for name in names)).order_by(table.id)):
        groups.add(row)
    return groups


def causes_of(connection: Connection, changes: Sequence[FoundChange]) -> dict[str, Cause]:
    """Return what changes of the time are due to, by the names of the changes.

    Of a kind with one host whose calibration set says nothing there is nothing to tell.
    """
    if not changes:
        return {}
    groups = host_groups(connection)
    found = [one for one in changes if one.history.subject.name in groups.own]
    siblings = {one.name: groups.siblings_of(groups.own[one.history.subject.name]) for one in found}
    needed = [row for group in siblings.values() for row in group]
    needed += [row for one in needed for row in groups.calibration_of(one)]
    earliest = min(one.change.last_before for one in changes)
    series = series_of(connection, needed, earliest)
    causes = {}
    for one in found:
        own = groups.own[one.history.subject.name]
        evidence = evidence_at(groups, series, own, (one.change.last_before + one.change.at) // 2)
        if own.machine_key in evidence.steps:
            cause = cause_of(evidence)
            if cause.hosts > 1 or cause.shift is not None:
                causes[one.name] = cause
    return causes


def series_of(
    connection: Connection, every: Iterable[Row[Any]], since: int
) -> dict[int, HostSeries]:
    """Return the sessions of series, from some before a time on."""
    numbers = sorted({row.id for row in every})
    found = medians_of(connection, numbers, since, BEFORE)
    return {one.series: HostSeries(one.points()) for one in found}


def evidence_at(
    groups: HostGroups, series: Mapping[int, HostSeries], own: Row[Any], at: int
) -> HostEvidence:
    """Return what the hosts of a kind show of a series' subject at a time."""
    steps, shifts = {}, {}
    for row in groups.siblings_of(own):
        step = series[row.id].step_at(at) if row.id in series else None
        if step is not None:
            steps[row.machine_key] = step
            shifts[row.machine_key] = shift_at(groups.calibration_of(row), series, at)
    return HostEvidence(host=own.machine_key, steps=steps, shifts=shifts)


def shift_at(
    calibration: Iterable[Row[Any]], series: Mapping[int, HostSeries], at: int
) -> HostShift:
    """Return what a host's calibration series say of a time."""
    found = [
        CalibrationStep(operator_of(row), row.framework, step)
        for row in calibration
        if row.id in series and (step := series[row.id].step_at(at)) is not None
    ]
    return shift_of(found)
