"""Handing planned rows to Dask, a few at a time; what becomes of them is read from the rows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from distributed import KilledWorker

from opperf.core.errors import OpperfError, error_text
from opperf.fleet.hosts.facts import SLOT
from opperf.fleet.hosts.rows import AWAY, READY, REFUSED, list_hosts, set_state
from opperf.fleet.jobs.leases import due_jobs, refuse_job, release_host, release_overdue
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.task import carry_out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from distributed import Client, Future, Scheduler
    from sqlalchemy import Connection, Row

    from opperf.storing.database.connection import Database

AHEAD = 2
"""Jobs that wait or run at Dask for each host: the next one is there when one ends."""
TICK_S = 1.0
"""Seconds between looks at the rows, where nothing happens in between."""
MOST_DUE = 5000
"""Rows that are looked at together."""


@dataclass
class Dispatcher:
    """The one that submits; it knows nothing that it could not read again after a restart."""

    scheduler: Scheduler
    client: Client
    store: Database
    tell: Callable[[str], None]
    handed: dict[int, Future[Any]] = field(default_factory=dict)
    targets: dict[int, frozenset[str]] = field(default_factory=dict)
    """The hosts that each job which was handed out may be measured on."""
    connected: frozenset[str] = frozenset()
    errors: dict[int, BaseException] = field(default_factory=dict)
    """Why hosts could not even begin a job."""
    tasks: set[asyncio.Future[None]] = field(default_factory=set)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Look at the rows for ever; a store that cannot be reached is looked at again."""
        failing = False
        while True:
            try:
                self.look()
                failing = False
            except OpperfError as error:
                if not failing:
                    self.tell(str(error))
                failing = True
            try:
                await asyncio.wait_for(self.woken.wait(), TICK_S)
            except asyncio.TimeoutError:
                continue
            finally:
                self.woken.clear()

    def look(self) -> None:
        """Take back what was lost, and hand out what is due."""
        present = {str(worker.name): worker.address for worker in self.scheduler.workers.values()}
        with changing(self.store) as connection:
            rows = {row.name: row for row in list_hosts(connection)}
            for name in self.connected - set(present):
                if release_host(connection, name, "the connection to the host was lost"):
                    self.tell(f"lost {name} while it measured")
            for name, row in rows.items():
                if row.state == READY and name not in present:
                    set_state(connection, name, AWAY, "not connected")
            release_overdue(connection)
            fit = self.fit(connection, rows, present)
            self.forget(present, connection)
            due = due_jobs(connection, [*self.handed], MOST_DUE)
        self.connected = frozenset(present)
        self.hand_out(due, {name: rows[name].facts for name in fit}, present)

    def fit(
        self, connection: Connection, rows: Mapping[str, Row[Any]], present: Mapping[str, str]
    ) -> set[str]:
        """Return the hosts that may measure, and write how the others are."""
        found = set()
        for name in present:
            row = rows.get(name)
            if row is None:
                continue
            if row.version != FLEET_VERSION:
                if row.state != REFUSED:
                    reason = f"opperf {row.version}, and the fleet has {FLEET_VERSION}"
                    set_state(connection, name, REFUSED, reason)
                    self.tell(f"refused {name}: {reason}")
                    self.scheduler.loop.add_callback(
                        self.scheduler.remove_worker, present[name], stimulus_id="opperf-version"
                    )
                continue
            if row.state == AWAY:
                set_state(connection, name, READY)
            if row.state in (READY, AWAY):
                found.add(name)
        return found

    def forget(self, present: Mapping[str, str], connection: Connection) -> None:
        """Forget jobs that Dask is through with, and those whose hosts are all gone.

        A job that a host could not even begin would come again and again: it has failed.
        """
        for number, future in [*self.handed.items()]:
            gone = not self.targets[number] & set(present)
            if gone and not future.done():
                future.cancel()
            if error := self.errors.pop(number, None):
                refuse_job(connection, number, error_text(error))
            if gone or future.done():
                future.release()
                del self.handed[number], self.targets[number]

    def hand_out(
        self,
        due: Sequence[Row[Any]],
        facts: Mapping[str, Mapping[str, Any]],
        present: Mapping[str, str],
    ) -> None:
        """Submit the jobs whose hosts have little to do."""
        fitting: dict[str, frozenset[str]] = {}
        waiting = dict.fromkeys(facts, 0.0)
        for targets in self.targets.values():
            for name in targets & set(facts):
                waiting[name] += 1 / len(targets)
        for row in due:
            key = str(row.requirement)
            if key not in fitting:
                requirement = HostRequirement.from_mapping(row.requirement)
                fitting[key] = frozenset(
                    name for name, known in facts.items() if not requirement.lacks(known)
                )
            targets = fitting[key]
            if row.version != FLEET_VERSION or not targets:
                continue
            if sum(waiting[name] for name in targets) >= AHEAD * len(targets):
                continue
            future = self.client.submit(
                carry_out, row.id, key=f"opperf-job-{row.id}-{token_hex(4)}", pure=False,
                retries=0, resources={SLOT: 1},
                workers=[present[name] for name in targets], allow_other_workers=False,
            )  # fmt: skip
            self.tasks.add(task := asyncio.ensure_future(self.follow(row.id, future)))
            task.add_done_callback(self.tasks.discard)
            self.handed[row.id], self.targets[row.id] = future, targets
            for name in targets:
                waiting[name] += 1 / len(targets)

    async def follow(self, number: int, future: Future[Any]) -> None:
        """Look at the rows when Dask is through with a job; a host that was lost is no error."""
        error = await future.exception()
        if error is not None and not isinstance(error, (KilledWorker, asyncio.CancelledError)):
            self.errors[number] = error
        self.woken.set()
