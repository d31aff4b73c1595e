"""Whose a job is: rows that go from planned by leased to done, each step one statement.

A lease is an attempt's number and a deadline by the database's clock. Whoever ends a job must name
the attempt that the row has: a host that was taken for dead cannot end what another one has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Text, all_, and_, case, cast, func, literal, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Interval

from opperf.storing.database.fleet_tables import job, submission
from opperf.storing.database.numbering import storable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Row, Select

MOST_ATTEMPTS = 3
"""A job that brought three hosts down, or was refused by them, is not tried on a fourth."""
PLANNED, LEASED, DONE, FAILED, CANCELLED = "planned", "leased", "done", "failed", "cancelled"
ENDED = (DONE, FAILED, CANCELLED)
GONE, RESTARTED = "the connection to the host was lost", "its worker was restarted"
UNHEARD, OVERDUE = (
    "the host never heard of its lease",
    "its lease ended before its results came",
)
LOST = (GONE, RESTARTED, UNHEARD, OVERDUE)
"""Why a job is given back whose host was lost, and not its job."""


@dataclass(frozen=True)
class Lease:
    """What a host is to measure, and for how many seconds it is the host's."""

    job: int
    attempt: int
    submission: str
    words: tuple[str, ...]
    seconds: float
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts that the words name, by the names that they have in the attempt's folder."""


def take_lease(connection: Connection, number: int, host: str, version: str) -> Lease | None:
    """Make a planned job the host's; None where it is not planned, or asks for another version."""
    same_version = select(submission.c.id).where(submission.c.version == version)
    seconds = func.make_interval(0, 0, 0, 0, 0, 0, job.c.lease_seconds, type_=Interval)
    row = connection.execute(
        update(job)
        .where(job.c.id == number, job.c.state == PLANNED, job.c.submission.in_(same_version))
        .values(
            state=LEASED, host=host, attempt=job.c.attempt + 1, began_at=func.now(),
            deadline=func.now() + seconds,
        )
        .returning(
            job.c.attempt, job.c.submission, job.c.words, job.c.lease_seconds, job.c.files
        )
    ).one_or_none()  # fmt: skip
    if row is None:
        return None
    words = tuple(row.words)
    return Lease(number, row.attempt, row.submission, words, row.lease_seconds, row.files)


def end_lease(
    connection: Connection, number: int, attempt: int, exit_code: int, run_name: str | None
) -> bool:
    """Note that a job is done; return whether it was this attempt's to end."""
    return change(
        connection,
        holds(number, attempt),
        state=DONE, exit_code=exit_code, run_name=run_name, ended_at=func.now(),
    )  # fmt: skip


def fail_lease(
    connection: Connection, number: int, attempt: int, exit_code: int, reason: str
) -> bool:
    """Note that a job cannot be carried out, wherever; return whether it was this attempt's."""
    return change(
        connection,
        holds(number, attempt),
        state=FAILED, exit_code=exit_code, reason=added(reason), ended_at=func.now(),
    )  # fmt: skip


def release_lease(connection: Connection, number: int, attempt: int, reason: str) -> bool:
    """Give a job back to be tried again, or as failed after its last attempt."""
    return change(connection, holds(number, attempt), **given_back(reason))


def refuse_job(connection: Connection, number: int, reason: str) -> bool:
    """Note that a job cannot even be handed out; return whether it was still planned."""
    planned = and_(job.c.id == number, job.c.state == PLANNED)
    return change(connection, planned, state=FAILED, reason=storable(reason), ended_at=func.now())


def release_host(connection: Connection, host: str, reason: str) -> bool:
    """Give back what a host had when it went; return whether it had something."""
    return change(connection, and_(job.c.host == host, job.c.state == LEASED), **given_back(reason))


def release_overdue(connection: Connection) -> bool:
    """Give back the jobs whose deadline has passed; return whether there were some."""
    overdue = and_(job.c.state == LEASED, job.c.deadline < func.now())
    return change(connection, overdue, **given_back(OVERDUE))


def cancel_jobs(connection: Connection, name: str) -> int:
    """Cancel what has not ended of a submission; what is being measured will not be stored."""
    query = update(job).where(job.c.submission == name, job.c.state.in_((PLANNED, LEASED)))
    return connection.execute(query.values(state=CANCELLED, ended_at=func.now())).rowcount


def due_jobs(
    connection: Connection, without: Sequence[int], most: int, after: int = 0, beside: str = ""
) -> Sequence[Row[Any]]:
    """Return planned jobs behind one, oldest first, but for those that were handed out.

    Those of the submission `beside` are left out. What they require is a text of JSON, because most
    of them require the same.
    """
    query = planned_jobs(without, most).where(job.c.id > after, job.c.submission != beside)
    return [*connection.execute(query)]


def early_jobs(
    connection: Connection, without: Sequence[int], most: int, name: str
) -> Sequence[Row[Any]]:
    """Return planned jobs of one submission, as `due_jobs` does those of all others."""
    return [*connection.execute(planned_jobs(without, most).where(job.c.submission == name))]


def planned_jobs(without: Sequence[int], most: int) -> Select[Any]:
    """Return the query for planned jobs that were not handed out, oldest first."""
    requirement = cast(job.c.requirement, Text).label("requirement")
    query = select(job.c.id, requirement, submission.c.version).join(submission)
    handed = all_(literal([*without], ARRAY(BigInteger)))
    query = query.where(job.c.state == PLANNED, job.c.id != handed)
    return query.order_by(job.c.id).limit(most)


def holds(number: int, attempt: int) -> ColumnElement[bool]:
    """Return the condition that a job is leased to this attempt."""
    return and_(job.c.id == number, job.c.attempt == attempt, job.c.state == LEASED)


def given_back(reason: str) -> dict[str, Any]:
    """Return what becomes of a row that is given back."""
    last = job.c.attempt >= MOST_ATTEMPTS
    return {
        "state": case((last, FAILED), else_=PLANNED),
        "ended_at": case((last, func.now())),
        "deadline": None,
        "reason": added(reason),
    }


def added(reason: str) -> ColumnElement[str]:
    """Return a row's reasons with one more, behind the attempt and the host that it is of."""
    said = func.concat("attempt ", job.c.attempt, " on ", job.c.host, ": ", storable(reason))
    return case((job.c.reason == "", said), else_=func.concat(job.c.reason, "; ", said))


def change(connection: Connection, where: ColumnElement[bool], **values: Any) -> bool:
    """Change the rows that a condition holds for; return whether there were some."""
    return connection.execute(update(job).where(where).values(**values)).rowcount > 0
