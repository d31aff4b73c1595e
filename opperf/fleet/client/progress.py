"""How far a submission is, read from its rows: by whoever asks, whenever."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from opperf.core.errors import UsageError
from opperf.fleet.jobs.calibration import calibrations
from opperf.fleet.jobs.leases import DONE, ENDED, LEASED, LOST, PLANNED
from opperf.fleet.store import changing
from opperf.storing.database.fleet_tables import job, output, submission
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from opperf.core.results.result import Result
    from opperf.storing.database.connection import Database

LAST = "last"
SHOWN = 5
POLL_S, LARGEST_SHARE = 1.0, 0.05
"""Seconds between looks at least, and the share of the time that they may take: they count the jobs
of a submission, which can be a million."""


@dataclass(frozen=True)
class FleetProgress:
    """A submission's jobs by state; seconds are the database's, None where nothing is known yet."""

    counts: Mapping[str, int]
    lost: int
    """How many were given back because their host was lost, whatever became of them then."""
    retried: int
    elapsed: float
    per_hour: float | None
    remaining: float | None

    @property
    def jobs(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        """How many are done, failed or cancelled."""
        return sum(self.counts.get(state, 0) for state in ENDED)


def find_submission(connection: Connection, text: str) -> str:
    """Return the name of the submission that a text names: all of it, its beginning, or last.

    Raises:
        UsageError: There is none, or there are several.
    """
    query = select(submission.c.id).order_by(submission.c.created_at.desc())
    if text == LAST:  # of what somebody asked for
        query = query.where(submission.c.id.not_in(calibrations()))
    else:
        query = query.where(submission.c.id.startswith(text, autoescape=True))
    names = list(connection.scalars(query.limit(SHOWN + 1)))
    if names and (text == LAST or len(names) == 1 or text in names):
        return text if text in names else names[0]
    if names:
        raise UsageError(f"submission {text!r} could be {', '.join(names)}; give more of it")
    newest = select(submission.c.id).order_by(submission.c.created_at.desc()).limit(SHOWN)
    there = ", ".join(connection.scalars(newest)) or "none"
    raise UsageError(f"unknown submission {text!r}; the newest are {there}")


def read_progress(connection: Connection, name: str) -> FleetProgress:
    """Return how far a submission is; what remains is reckoned from what has ended."""
    query = select(job.c.state, func.count()).where(job.c.submission == name)
    counted = connection.execute(query.group_by(job.c.state))
    counts: dict[str, int] = {row[0]: row[1] for row in counted}
    ended_at, began_at = func.max(job.c.ended_at), func.min(job.c.began_at)
    was_lost = or_(*(job.c.reason.contains(reason) for reason in LOST))
    whole = select(
        func.count().filter(job.c.reason != "", was_lost),
        func.count().filter(job.c.attempt > 1),
        func.extract("epoch", func.coalesce(func.now() - began_at, func.now() - func.now())),
        func.extract("epoch", ended_at - began_at),
    ).where(job.c.submission == name)
    lost, retried, elapsed, busy = connection.execute(whole).one()
    done, left = counts.get(DONE, 0), counts.get(PLANNED, 0) + counts.get(LEASED, 0)
    taken = float(elapsed) if left else float(busy or 0)
    pace = done / taken if done and taken else None
    return FleetProgress(
        counts, lost, retried, taken, pace and 3600 * pace, left / pace if pace else None
    )


def list_jobs(connection: Connection, name: str, *states: str) -> Sequence[Row[Any]]:
    """Return a submission's jobs, of these states or of all, in the order of planning."""
    query = select(job).where(job.c.submission == name).order_by(job.c.id)
    return connection.execute(query.where(job.c.state.in_(states)) if states else query).all()


def watch(store: Database, name: str, tell: Callable[[str], None]) -> Iterator[FleetProgress]:
    """Yield how far a submission is until it has ended; a store that is away is waited for."""
    away = False
    while True:
        began = time.monotonic()
        try:
            with changing(store) as connection:
                found = read_progress(connection, name)
        except StorageError as error:
            if not away:
                tell(str(error))
            away = True
        else:
            away = False
            yield found
            if found.ended == found.jobs:
                return
        time.sleep(max(POLL_S, (time.monotonic() - began) / LARGEST_SHARE))


def read_output(connection: Connection, number: int, name: str) -> bytes | None:
    """Return what a job wrote under a name, None where it wrote nothing yet."""
    query = select(output.c.content).where(output.c.job == number, output.c.name == name)
    content = connection.scalar(query)
    return None if content is None else zlib.decompress(content)


def read_results(connection: Connection, jobs: Sequence[Row[Any]]) -> dict[int, list[Result]]:
    """Return the results of each job that is done, by the job's number."""
    from opperf.storing.database.reading import find_run, read_run

    done = [row for row in jobs if row.state == DONE and row.run_name]
    return {row.id: read_run(connection, find_run(connection, row.run_name)) for row in done}
