"""How fast the hosts of a store are against the others of their kind, by the calibration set."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.history.calibration import calibration_factor, level_of
from opperf.storing.database.causes import host_groups, operator_of
from opperf.storing.database.histories import spans_of
from opperf.storing.database.medians import medians_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from opperf.history.calibration import CalibrationFactor, HostLevel
    from opperf.history.host import MeasuredHost
    from opperf.storing.database.causes import HostGroups

    OperatorLevels = dict[str, dict[bytes, HostLevel]]

FAR_AHEAD = 2**62
RECENT = 10
"""Sessions that say how fast a host is now."""
FRESH = 30 * 24 * 3600 * 1000
"""Milliseconds before the newest result of the store from which sessions say so."""


@dataclass(frozen=True, kw_only=True)
class HostStanding:
    """A host, how many series it has and from when to when, and its factor where there is one."""

    host: MeasuredHost
    series: int
    first: int
    last: int
    factor: CalibrationFactor | None


def host_standings(connection: Connection, device: str = "cpu") -> list[HostStanding]:
    """Return the hosts of a store by their kinds and names; factors are of one device."""
    groups = host_groups(connection)
    spans = spans_of(connection, [row.id for row in groups.own.values()])
    by_machine = defaultdict(list)
    for row in groups.own.values():
        if row.id in spans:
            by_machine[row.machine_key].append(spans[row.id])
    newest = max((last for found in by_machine.values() for _, last in found), default=0)
    levels = host_levels(connection, groups, device, newest - FRESH)
    return [
        HostStanding(
            host=host,
            series=len(by_machine[machine]),
            first=min(first for first, _ in by_machine[machine]),
            last=max(last for _, last in by_machine[machine]),
            factor=calibration_factor(machine, levels[host.kind_key]),
        )
        for machine, host in sorted(
            groups.hosts.items(), key=lambda item: (item[1].kind, item[1].label)
        )
        if by_machine[machine]
    ]


def host_levels(
    connection: Connection, groups: HostGroups, device: str, since: int
) -> dict[str, dict[str, OperatorLevels]]:
    """Return the levels of the calibration series by kind and machine, from a time on."""
    levels: dict[str, dict[str, OperatorLevels]] = defaultdict(dict)
    for machine, host in groups.hosts.items():
        levels[host.kind_key][machine] = defaultdict(dict)
    rows = {
        row.id: row
        for machine in groups.hosts
        for row in groups.calibration.get((machine, device), [])
    }
    for one in medians_of(connection, [*rows], FAR_AHEAD, RECENT):
        row = rows[one.series]
        level = level_of([point for point in one.points() if point.at > since])
        if level is not None:
            found = levels[groups.hosts[row.machine_key].kind_key][row.machine_key]
            found[operator_of(row)][bytes(row.subject)] = level
    return levels
