"""All that a fleet's rows say of it now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from opperf.fleet.client.progress import FleetProgress, read_progress
from opperf.fleet.hosts.rows import READY, list_hosts
from opperf.fleet.jobs.calibration import calibration_times
from opperf.fleet.jobs.leases import DONE, LEASED
from opperf.storing.database.fleet_tables import job, submission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

HOUR = timedelta(hours=1)
MOST = 100
"""Jobs with reasons that are shown."""


@dataclass(frozen=True)
class Overview:
    """The hosts with what they do, and the newest submissions with how far they are."""

    hosts: list[dict[str, Any]]
    submissions: dict[str, FleetProgress]
    troubles: list[dict[str, Any]]
    """The newest jobs of these submissions that were given back or have failed."""

    @property
    def kinds(self) -> list[dict[str, Any]]:
        """The kinds, with how many hosts of each there are, and what they do."""
        kinds: dict[str, list[dict[str, Any]]] = {}
        for host in self.hosts:
            kinds.setdefault(host["kind"], []).append(host)
        return [
            {
                "kind": kind,
                "cpu": several[0]["cpu"],
                "hosts": len(several),
                "ready": sum(one["state"] == READY for one in several),
                "measuring": sum(one["measures"] is not None for one in several),
                "done": sum(one["done_last_hour"] for one in several),
            }
            for kind, several in kinds.items()
        ]

    def to_mapping(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        submissions = {name: asdict(found) for name, found in self.submissions.items()}
        return {
            "hosts": self.hosts,
            "kinds": self.kinds,
            "submissions": submissions,
            "troubles": self.troubles,
        }


def read_overview(connection: Connection, most: int) -> Overview:
    """Return how a fleet is, with its newest submissions."""
    measured = select(job.c.host, job.c.title).where(job.c.state == LEASED)
    measures = {row.host: row.title for row in connection.execute(measured)}
    recent = (
        select(job.c.host, func.count())
        .where(job.c.state == DONE, job.c.ended_at > func.now() - HOUR)
        .group_by(job.c.host)
    )
    done: dict[str, int] = {row[0]: row[1] for row in connection.execute(recent)}
    calibrated = calibration_times(connection)
    hosts = [
        {
            **row.facts,
            "version": row.version,
            "state": row.state,
            "reason": row.reason,
            "seen_at": row.seen_at.isoformat(),
            "measures": measures.get(row.name),
            "done_last_hour": done.get(row.name, 0),
            "calibrated_at": calibrated[row.name].isoformat() if row.name in calibrated else None,
        }
        for row in list_hosts(connection)
    ]
    names = select(submission.c.id).order_by(submission.c.created_at.desc()).limit(most)
    found = {name: read_progress(connection, name) for name in connection.scalars(names)}
    return Overview(hosts, found, read_troubles(connection, [*found]))


def read_troubles(connection: Connection, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the newest jobs of submissions that have reasons, with what became of them."""
    columns = (job.c.id, job.c.submission, job.c.title, job.c.state, job.c.attempt, job.c.reason)
    query = select(*columns).where(job.c.submission.in_(names), job.c.reason != "")
    return [
        row._asdict() for row in connection.execute(query.order_by(job.c.id.desc()).limit(MOST))
    ]
