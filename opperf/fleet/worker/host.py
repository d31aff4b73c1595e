"""A host at work: it takes a lease, measures, and brings the results to the store."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from opperf.core.errors import error_text
from opperf.core.machine.turns import OF_FLEET, open_turns, try_alone
from opperf.fleet.hosts.examination import why_unfit
from opperf.fleet.hosts.rows import QUARANTINED, READY, REFUSED, list_hosts, set_state, write_host
from opperf.fleet.jobs.leases import (
    RESTARTED,
    UNHEARD,
    release_host,
    release_lease,
    take_lease,
)
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.process import JobProcess
from opperf.storing.database.numbering import storable
from opperf.storing.errors import BusyStoreError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.fleet.jobs.leases import Lease
    from opperf.fleet.worker.spool import HostSpool
    from opperf.storing.database.connection import Database

Found = TypeVar("Found")
NAME_OF_HOST = "OPPERF_HOST"
"""The variable by which records say whose they are."""
AWAY_FOR_NOW = (StorageError, BusyStoreError)
"""What is over in a while."""
RETRY_S, LONGEST_RETRY_S = 0.5, 30.0
"""Seconds between attempts to reach the store, twice as long each time."""
TURN_S = 1.0
"""Seconds between looks whether a local run still measures."""


@dataclass
class Host:
    """This machine in the fleet; `tell` says what happens to whoever reads the worker's log."""

    facts: Mapping[str, Any]
    store: Database
    spool: HostSpool
    most_noise: float | None
    tell: Callable[[str], None]
    is_quiet: bool = False
    process: JobProcess = field(default_factory=JobProcess)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the worker is to leave the fleet: to end, or because its disk is full."""

    @property
    def name(self) -> str:
        """Its name in the fleet."""
        return str(self.facts["host"])

    async def enter(self) -> bool:
        """Bring what is left to the store, and say whether this host is fit to measure.

        What it had when it went is given back: a host that comes back has no job.
        """
        await self.bring()
        reason = await self.examine()
        if self.process.stopping:  # what was ended with this worker has found nothing
            return False
        state = QUARANTINED if reason else READY

        def write() -> None:
            with changing(self.store) as connection:
                release_host(connection, self.name, RESTARTED)
                write_host(connection, self.facts, state, reason)

        await self.insist(write)
        if reason:
            self.tell(f"quarantined: {reason}")
        return not reason

    async def examine(self) -> str:
        """Return why this host is not to measure; how noisy it is, it is asked until it is not."""
        framework = next(iter(self.facts["frameworks"]), None)
        most = None if self.is_quiet else self.most_noise
        turn = None if most is None else await self.take_turn()
        try:
            reason = why_unfit(self.spool.folder, framework, most)
        finally:
            if turn is not None:
                os.close(turn)
        self.is_quiet = not reason
        return reason

    async def carry_out(self, number: int) -> None:
        """Measure a job, if it still is to be measured, and store what was found.

        A host that cannot begin jobs leaves the fleet; it would be through with all of them soon.
        """
        turn = await self.take_turn()
        try:
            lease = self.take(number)
            if lease is not None:
                self.measure(lease)
        except AWAY_FOR_NOW as error:  # the job comes again; local runs do not wait for the store
            self.tell(str(error))
            await asyncio.sleep(TURN_S)
        except Exception as error:  # noqa: BLE001 - whatever it is, other hosts may do without
            self.leave(QUARANTINED, error_text(error))
        finally:
            if turn is not None:
                os.close(turn)
        try:
            await self.bring()
        except StorageError:  # this host is to end: the spool has what it measured
            return
        except OSError as error:
            self.leave(QUARANTINED, error_text(error))

    def take(self, number: int) -> Lease | None:
        """Return the lease of a job, None where it is not to be had or this host is to leave.

        What this host has by the rows, it was given by an answer that never came.
        """
        if self.process.stopping or self.changed.is_set():
            return None
        if reason := why_unfit(self.spool.folder, next(iter(self.facts["frameworks"])), None):
            self.leave(QUARANTINED, reason)
            return None
        with changing(self.store) as connection:
            release_host(connection, self.name, UNHEARD)
            return take_lease(connection, number, self.name, FLEET_VERSION)

    def measure(self, lease: Lease) -> None:
        """Run opperf in a process of its own, with its folder in the spool.

        Nothing else of this worker runs until that process has ended, its event loop included.
        """
        try:
            entry = self.spool.begin(lease)
            command = [*lease.words, "--runs-dir", str(entry.runs), *self.labels(lease)]
            environ = {
                **{name: value for name, value in os.environ.items() if name != "OPPERF_STORE"},
                OF_FLEET: str(lease.job),
                NAME_OF_HOST: self.name,
            }
            code = self.process.run(
                [sys.executable, "-m", "opperf", *command], entry.path, environ, lease.seconds
            )
            entry.note_outcome(code)
        except OSError as error:  # no space, no memory, no more processes
            reason = f"{error.strerror}: {error.filename or self.spool.folder}"
            with changing(self.store) as connection:
                release_lease(connection, lease.job, lease.attempt, reason)
            self.leave(QUARANTINED, reason)

    def labels(self, lease: Lease) -> list[str]:
        """Return the tags by which results say whose they are; comparisons have none."""
        if lease.words[0] == "ab":
            return []
        tags = {"fleet": lease.submission, "host": self.name, "kind": self.facts["kind"]}
        return [word for name, value in tags.items() for word in ("--tag", f"{name}={value}")]

    def leave(self, state: str, reason: str) -> None:
        """Take this host out of the fleet; where the store is away, its row follows later."""
        self.changed.set()
        with suppress(OSError):  # no space for a log either
            self.tell(f"{state}: {reason}")
        with suppress(*AWAY_FOR_NOW), changing(self.store) as connection:
            set_state(connection, self.name, state, storable(reason) or "")

    def refusal(self) -> str | None:
        """Return why the scheduler refused this host, None where it did not."""
        with changing(self.store) as connection:
            rows = {row.name: row for row in list_hosts(connection)}
        row = rows.get(self.name)
        return str(row.reason) if row is not None and row.state == REFUSED else None

    async def take_turn(self) -> int | None:
        """Return the descriptor that holds this machine, as soon as no local run measures."""
        descriptor = open_turns()
        while descriptor is not None and not try_alone(descriptor):  # noqa: ASYNC110 - a process's
            await asyncio.sleep(TURN_S)
        return descriptor

    async def bring(self) -> None:
        """Bring the spool to the store."""
        for line in await self.insist(lambda: self.spool.store_all(self.store)):
            self.tell(line)

    async def insist(self, action: Callable[[], Found]) -> Found:
        """Do something with the store, again and again while it cannot be reached."""
        pause = RETRY_S
        while True:
            try:
                return action()
            except AWAY_FOR_NOW as error:
                if pause == RETRY_S:
                    self.tell(str(error))
                if self.process.stopping:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_RETRY_S)
