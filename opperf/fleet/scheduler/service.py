"""The scheduler of a fleet: Dask's own, with a dispatcher beside it."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import dask
from distributed import Client, Scheduler
from sqlalchemy import select

from opperf.fleet.configuration import NO_PAGES, PATIENT
from opperf.fleet.scheduler.calibrating import calibrate
from opperf.fleet.scheduler.dispatcher import Dispatcher
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed.security import Security

    from opperf.storing.database.connection import Database

HELLO = "opperf_hello"
"""The name of what a client asks first."""


@dataclass(frozen=True)
class SchedulerRequest:
    """Where a scheduler listens, and what it plans by itself."""

    address: str
    """Where workers and clients find it, as tls://10.0.0.1:8786; port 0 takes a free one."""
    dashboard: str | None = None
    """Where Dask's own pages are, as 127.0.0.1:8787; None for nowhere."""
    period: float | None = None
    """Seconds from one calibration of the hosts to the next; None for no calibrations."""


async def schedule(
    store: Database,
    request: SchedulerRequest,
    security: Security | None,
    tell: Callable[[str], None],
) -> None:
    """Distribute jobs until this process is to end.

    Args:
        store: where the rows are.
        request: where it listens, and what it plans by itself.
        security: the certificates, None for plain TCP.
        tell: says what happens.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    options: dict[str, Any] = {"security": security} if security else {}
    pages: dict[str, Any] = {
        "dashboard": bool(request.dashboard),
        "dashboard_address": request.dashboard or "127.0.0.1:0",
    }
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    pageless = {} if request.dashboard else NO_PAGES
    with dask.config.set({**PATIENT, **pageless}), store.keeping_connection():
        async with (
            Scheduler(host=request.address, **options, **pages) as scheduler,
            Client(scheduler.address, asynchronous=True, **options) as client,
        ):
            dispatcher = Dispatcher(scheduler, client, store, tell)

            def hello(name: str = "") -> dict[str, Any]:
                return greet(dispatcher, name)

            scheduler.handlers[HELLO] = hello
            tell(f"schedules at {scheduler.address}")
            running = [asyncio.ensure_future(dispatcher.run())]
            if request.period is not None:
                running.append(asyncio.ensure_future(calibrate(dispatcher, request.period)))
            stopping = asyncio.ensure_future(ended.wait())
            await asyncio.wait((*running, stopping), return_when=asyncio.FIRST_COMPLETED)
            for one in running:
                one.cancel()
                with suppress(asyncio.CancelledError):
                    await one


def greet(dispatcher: Dispatcher, name: str) -> dict[str, Any]:
    """Return whether the store has a submission, by which a client knows that it is its store."""
    dispatcher.woken.set()
    query = select(submission.c.id).where(submission.c.id == name)
    with changing(dispatcher.store) as connection:
        known = connection.execute(query).one_or_none() is not None
    return {"version": FLEET_VERSION, "known": known}
