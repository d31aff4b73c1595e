"""Writing a submission: which jobs there are to be, and on which hosts each may be measured."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from opperf.core.errors import UsageError
from opperf.fleet.hosts.rows import AWAY, READY, list_hosts
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import job, submission

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from opperf.fleet.jobs.requirement import HostRequirement
    from opperf.storing.database.connection import Database

SHORTEST_LEASE = 600.0
"""Seconds that a job may take at least: a framework is imported, and a local run may go before."""
SHOWN = 5


@dataclass(frozen=True)
class JobRequest:
    """What one job is to measure, before it is said where."""

    title: str
    words: tuple[str, ...]
    requirement: HostRequirement
    seconds: float = SHORTEST_LEASE
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts that the words name, which the host has beside it."""


def submit(store: Database, command: str, works: Sequence[JobRequest], hosts_per_kind: int) -> str:
    """Write the jobs of a submission, and return its name.

    Each work is measured once on every kind of host that fits, on so many hosts of it.

    Raises:
        UsageError: No host fits, or a kind has fewer hosts.
    """
    name = f"{datetime.now(timezone.utc):%Y%m%dT%H%M%S}-{token_hex(3)}"
    with changing(store) as connection:
        hosts = placeable_hosts(connection)
        rows = [
            {
                "submission": name,
                "title": work.title,
                "words": list(work.words),
                "files": dict(work.files),
                "requirement": requirement.to_mapping(),
                "lease_seconds": max(SHORTEST_LEASE, work.seconds),
            }
            for number, work in enumerate(works)
            for requirement in place(work, hosts, hosts_per_kind, number)
        ]
        values = {"id": name, "command": command, "version": FLEET_VERSION}
        connection.execute(insert(submission).values(values))
        connection.execute(insert(job), rows)
    return name


def placeable_hosts(connection: Connection) -> dict[str, Mapping[str, Any]]:
    """Return the facts of the hosts that may be given something, by their names."""
    return {
        row.name: row.facts
        for row in list_hosts(connection)
        if row.state in (READY, AWAY) and row.version == FLEET_VERSION
    }


def place(
    work: JobRequest, hosts: Mapping[str, Mapping[str, Any]], per_kind: int, number: int
) -> Iterator[HostRequirement]:
    """Yield the requirement of each of a work's jobs.

    One host of a kind is any of them, whichever is free. Several hosts are named, another one first
    for each work, so that all have the same to do.

    Raises:
        UsageError: No host fits, or a kind has fewer hosts.
    """
    requirement = work.requirement
    kinds: dict[str, list[str]] = {}
    for name, facts in hosts.items():
        if not requirement.lacks(facts):
            kinds.setdefault(facts["kind"], []).append(name)
    if not kinds:
        raise UsageError(why_nowhere(requirement, hosts))
    for kind, names in kinds.items():
        if len(names) < per_kind:
            raise UsageError(
                f"--hosts-per-kind {per_kind}: of kind {kind} there are {len(names)} that fit: "
                f"{', '.join(names)}"
            )
        if per_kind == 1:
            yield replace(requirement, kind=kind)
        else:
            turned = names[number % len(names) :] + names[: number % len(names)]
            yield from (replace(requirement, kind=kind, hosts=(one,)) for one in turned[:per_kind])


def why_nowhere(requirement: HostRequirement, hosts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return which requirement each host fails."""
    if not hosts:
        return "the fleet has no host that is ready; `opperf fleet status` shows all"
    lines = [f"{name} lacks {', '.join(requirement.lacks(facts))}" for name, facts in hosts.items()]
    more = f"; and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
    return f"no host fits: {'; '.join(lines[:SHOWN])}{more}"
