"""Planning again what of a submission failed or was cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, insert, select, update

from opperf.core.errors import UsageError
from opperf.fleet.client.progress import list_jobs
from opperf.fleet.client.submission import placeable_hosts, why_nowhere
from opperf.fleet.jobs.leases import CANCELLED, FAILED
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import job, output, submission

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from opperf.storing.database.connection import Database

KEPT = ("submission", "title", "words", "requirement", "lease_seconds", "reason")


class Resubmission(NamedTuple):
    """How many jobs were planned again, and why others were not."""

    planned: int
    refused: list[str]


def resubmit(store: Database, name: str) -> Resubmission:
    """Plan the failed and cancelled jobs of a submission again, where a host fits.

    Raises:
        UsageError: It was made for another version of opperf.
    """
    with changing(store) as connection:
        query = select(submission).where(submission.c.id == name)
        row = connection.execute(query.with_for_update()).one()  # nobody else does the same now
        ended = list_jobs(connection, name, FAILED, CANCELLED)
        if ended and row.version != FLEET_VERSION:
            raise UsageError(
                f"{name} is of opperf {row.version}, and this is {FLEET_VERSION}; submit anew: "
                f"{row.command}"
            )
        hosts = placeable_hosts(connection)
        refused = []
        for one in ended:
            requirement = HostRequirement.from_mapping(one.requirement)
            if all(requirement.lacks(facts) for facts in hosts.values()):
                reason = why_nowhere(requirement, hosts)
                refused.append(f"job {one.id} ({one.title}) stays {one.state}: {reason}")
            else:
                plan_again(connection, one)
    return Resubmission(len(ended) - len(refused), refused)


def plan_again(connection: Connection, ended: Row[Any]) -> None:
    """Put a new row in the place of one that has ended, with its files, log and reasons.

    It has a number of its own, so that a host which still has an earlier attempt cannot end it.
    """
    values = {name: getattr(ended, name) for name in KEPT}
    number = connection.scalar(insert(job).values(values).returning(job.c.id))
    connection.execute(update(output).where(output.c.job == ended.id).values(job=number))
    connection.execute(delete(job).where(job.c.id == ended.id))
