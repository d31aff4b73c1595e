"""The calibration set on every host, once in each period; rows say who has it planned already."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_update

from opperf.core.calibration import TAG
from opperf.fleet.hosts.rows import READY, list_hosts
from opperf.fleet.jobs.leases import CANCELLED, DONE, PLANNED
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import job, submission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Select

    from opperf.storing.database.connection import Database

NAME = f"{TAG}-"
"""How the submissions of calibrations begin."""
COMMAND = "opperf fleet scheduler --calibrate"
OVERTAKEN = "nobody measured it before the next calibration was due"
LEASE_S = 3600.0
"""Seconds that a calibration may take: 2 to 3 minutes are typical, with four frameworks."""


def plan_calibrations(store: Database, period: float) -> tuple[str, list[str]]:
    """Plan a calibration for each ready host that has none in this period of so many seconds.

    Periods are counted from 1970 by the database's clock, so that those of a day begin at midnight
    UTC. What is left of earlier periods is cancelled: a host that was away for a week owes one.

    Returns:
        The name of the period's submission, and the hosts for which a job was planned now.
    """
    with changing(store) as connection:
        name = period_name(connection, period)
        others = calibrations().where(submission.c.id != name)
        left = update(job).where(job.c.state == PLANNED, job.c.submission.in_(others))
        ended = {"state": CANCELLED, "reason": OVERTAKEN, "ended_at": func.now()}
        connection.execute(left.values(ended))
        ready = {
            row.name: row.facts
            for row in list_hosts(connection)
            if row.state == READY and row.version == FLEET_VERSION
        }
        version = connection.scalar(select(submission.c.version).where(submission.c.id == name))
        if not ready.keys() - planned_hosts(connection, name) and version in {None, FLEET_VERSION}:
            return name, []
        # The row is locked now: another scheduler that plans waits here, and then sees these jobs.
        values = {"id": name, "command": COMMAND, "version": FLEET_VERSION}
        query = insert_or_update(submission).values(values)
        same = {"version": FLEET_VERSION}
        connection.execute(query.on_conflict_do_update(index_elements=["id"], set_=same))
        missing = sorted(ready.keys() - planned_hosts(connection, name))
        if missing:
            rows = [{"submission": name, **calibration_row(ready[one])} for one in missing]
            connection.execute(insert(job), rows)
    return name, missing


def period_name(connection: Connection, period: float) -> str:
    """Return the name of the submission of the period that it is now, after its beginning."""
    now = float(connection.scalar(select(func.extract("epoch", func.now()))) or 0)
    began = datetime.fromtimestamp(now // period * period, timezone.utc)
    return f"{NAME}{began:%Y%m%dT%H%M%S}"


def planned_hosts(connection: Connection, name: str) -> set[str]:
    """Return the hosts that have a job of a period, whatever became of it."""
    query = select(job.c.requirement).where(job.c.submission == name)
    return {host for requirement in connection.scalars(query) for host in requirement["hosts"]}


def calibration_row(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a host's job: the calibration set at its small size, on all frameworks it has."""
    frameworks = tuple(facts["frameworks"])
    requirement = HostRequirement(frameworks=frameworks, hosts=(facts["host"],))
    words = [
        "run", "-k", f"tag={TAG}", "--size=small", f"--framework={','.join(frameworks)}",
        f"--tag={TAG}", "--quiet",
    ]  # fmt: skip
    return {
        "title": TAG,
        "words": words,
        "requirement": requirement.to_mapping(),
        "lease_seconds": LEASE_S,
    }


def calibrations() -> Select[tuple[str]]:
    """Return the query for the names of all submissions of calibrations."""
    return select(submission.c.id).where(submission.c.id.startswith(NAME, autoescape=True))


def calibration_times(connection: Connection) -> dict[str, datetime]:
    """Return when each host was last calibrated, by its name; those that never were are absent."""
    query = select(job.c.host, func.max(job.c.ended_at))
    query = query.where(job.c.state == DONE, job.c.submission.in_(calibrations()))
    return {row[0]: row[1] for row in connection.execute(query.group_by(job.c.host))}
