"""Handing planned rows to Dask, a few at a time; what becomes of them is read from the rows."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from math import ceil
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from distributed import KilledWorker

from opperf.core.errors import OpperfError, error_text
from opperf.fleet.hosts.facts import SLOT
from opperf.fleet.hosts.rows import AWAY, READY, REFUSED, list_states, read_facts, set_state
from opperf.fleet.jobs.leases import (
    GONE,
    due_jobs,
    early_jobs,
    refuse_job,
    release_host,
    release_overdue,
)
from opperf.fleet.scheduler.placement import JobBatch, Load, Placement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.task import carry_out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from distributed import Client, Future, Scheduler
    from sqlalchemy import Connection, Row

    from opperf.storing.database.connection import Database

TICK_S = 1.0
"""Seconds between looks at the rows, where nothing happens in between."""
SURVEY_S = 5.0
"""Seconds between looks at hosts' rows and at deadlines, where the same hosts are connected."""
AWAITED = 0.1
"""The share of the hosts that end a job before the next look: each has another one waiting."""
PAUSE_S, LARGEST_SHARE = 0.1, 0.1
"""Seconds between looks at least, and the share of the time that looks may take: hosts have another
job waiting at Dask meanwhile."""
MOST_DUE, PAGE = 5000, 500
"""Planned rows that are read in a look at most, and together where the first ones fit nobody."""


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
    first: str = ""
    """The submission whose jobs go before all others: the calibration of this period."""
    connected: Mapping[str, str] = field(default_factory=dict)
    """The addresses of the hosts that were connected in the last look, by their names."""
    surveyed: float = -SURVEY_S
    facts: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Of each host at its address; one that comes back has another address."""
    placement: Placement = field(default_factory=Placement)
    after: int = 0
    """The row behind which jobs for idle hosts are looked for next."""
    errors: dict[int, BaseException] = field(default_factory=dict)
    """Why hosts could not even begin a job."""
    tasks: set[asyncio.Future[None]] = field(default_factory=set)
    ended: int = 0
    """Jobs that Dask is through with since the last look."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Look at the rows for ever; a store that cannot be reached is looked at again."""
        failing = False
        while True:
            began = time.monotonic()
            try:
                self.look()
                failing = False
            except OpperfError as error:
                if not failing:
                    self.tell(str(error))
                failing = True
            await asyncio.sleep(max(PAUSE_S, (time.monotonic() - began) / LARGEST_SHARE))
            try:
                await asyncio.wait_for(self.woken.wait(), TICK_S)
            except asyncio.TimeoutError:
                continue
            finally:
                self.woken.clear()

    def look(self) -> None:
        """Take back what was lost, and hand out what is due."""
        present = {str(worker.name): worker.address for worker in self.scheduler.workers.values()}
        self.ended, now = 0, time.monotonic()
        surveying = present != self.connected or now - self.surveyed >= SURVEY_S
        with changing(self.store) as connection:
            if surveying:
                self.survey(connection, present)
            self.forget(present, connection)
            chosen = self.choose(connection)
        if surveying:  # what was not stored is found again
            self.connected, self.surveyed = present, now
        for batch in chosen:
            self.hand_out(batch, present)

    def survey(self, connection: Connection, present: Mapping[str, str]) -> None:
        """Take back what was lost, and find out which hosts may measure."""
        rows = list_states(connection)
        for name in self.connected.keys() - present.keys():
            if release_host(connection, name, GONE):
                self.tell(f"lost {name} while it measured")
        for name, row in rows.items():
            if row.state == READY and name not in present:
                set_state(connection, name, AWAY, "not connected")
        release_overdue(connection)
        fit = self.fit(connection, rows, present)
        self.placement.update(self.facts_of(connection, fit, present))

    def facts_of(
        self, connection: Connection, names: set[str], present: Mapping[str, str]
    ) -> dict[str, Mapping[str, Any]]:
        """Return the facts of hosts, read once for each address."""
        wanted = {(name, present[name]) for name in names}
        new = [name for name, _ in wanted - set(self.facts)]
        read = {(name, present[name]): facts for name, facts in read_facts(connection, new).items()}
        self.facts = {key: facts for key, facts in {**self.facts, **read}.items() if key in wanted}
        return {name: facts for (name, _), facts in self.facts.items()}

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
            gone = self.targets[number].isdisjoint(present)
            if gone and not future.done():
                future.cancel()
            if error := self.errors.pop(number, None):
                refuse_job(connection, number, error_text(error))
            if gone or future.done():
                future.release()
                del self.handed[number], self.targets[number]

    def load(self) -> Load:
        """Return what hosts have to do: where Dask has put each job, or might."""
        load = Load(self.placement.facts)
        for number, future in self.handed.items():
            task = self.scheduler.tasks.get(future.key)
            host = task.processing_on if task is not None else None
            load.add(self.targets[number] if host is None else (str(host.name),))
        return load

    def choose(self, connection: Connection) -> list[JobBatch]:
        """Return the jobs whose hosts have little to do.

        The oldest rows come first. Where hosts still have nothing to do after these, rows further
        on are read, from where the last look ended: jobs of other hosts hide nothing for long.
        """
        load = self.load()
        batches: dict[frozenset[str], JobBatch] = {}
        handed = [*self.handed]
        if self.first:
            self.place(early_jobs(connection, handed, PAGE, self.first), load, batches)
        after, page = 0, min(PAGE, ceil(load.shortage()))
        for _ in range(MOST_DUE // PAGE):
            if load.is_enough():
                break
            rows = due_jobs(connection, handed, page, after, self.first)
            self.place(rows, load, batches)
            if len(rows) < page:
                self.after = 0
                break
            after, page = max(rows[-1].id, self.after), PAGE
            self.after = after
        return [batch for batch in batches.values() if batch.jobs]

    def place(
        self, rows: Sequence[Row[Any]], load: Load, batches: dict[frozenset[str], JobBatch]
    ) -> None:
        """Put jobs into the batches of their hosts, as far as these have room."""
        for row in rows:
            targets = self.placement.targets(row.requirement)
            if targets not in batches:
                batches[targets] = JobBatch(load.room(targets))
            batch = batches[targets]
            if row.version == FLEET_VERSION and not batch.is_full():
                load.add([*batch.room])
                batch.jobs.append(row.id)

    def hand_out(self, batch: JobBatch, present: Mapping[str, str]) -> None:
        """Submit jobs to Dask, together."""
        names = frozenset(batch.emptiest())
        futures = self.client.map(
            carry_out, batch.jobs, pure=False, retries=0, resources={SLOT: 1},
            key=[f"opperf-job-{number}-{token_hex(4)}" for number in batch.jobs],
            workers=[present[name] for name in names], allow_other_workers=False,
        )  # fmt: skip
        for number, future in zip(batch.jobs, futures, strict=True):
            self.tasks.add(task := asyncio.ensure_future(self.follow(number, future)))
            task.add_done_callback(self.tasks.discard)
            self.handed[number], self.targets[number] = future, names

    async def follow(self, number: int, future: Future[Any]) -> None:
        """Look at the rows when Dask is through with a job; a host that was lost is no error."""
        error = await future.exception()
        if error is not None and not isinstance(error, (KilledWorker, asyncio.CancelledError)):
            self.errors[number] = error
        self.ended += 1
        if error is not None or self.ended >= AWAITED * len(self.connected):
            self.woken.set()
