"""The worker of a host from its start to its end, through every scheduler that comes and goes."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import dask

from opperf.core.errors import UsageError
from opperf.fleet.configuration import QUIET
from opperf.fleet.hosts.facts import dask_resources
from opperf.fleet.worker.task import HostWorker
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from distributed.security import Security

    from opperf.fleet.worker.host import Host

PAUSE_S = 2.0
"""Seconds between attempts to reach the scheduler."""
QUARANTINE_S = 600.0
"""Seconds until a host that was unfit is looked at again."""


async def serve(host: Host, scheduler: str, security: Security | None) -> None:
    """Take jobs until this process is to end.

    Raises:
        UsageError: The scheduler refuses this host, as of another version.
    """
    loop = asyncio.get_running_loop()

    def end(*_: object) -> None:
        host.process.stop()
        loop.call_soon_threadsafe(host.changed.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(QUIET), host.store.keeping_connection(), suppress(StorageError):
        while not host.process.stopping:
            is_fit = await host.enter()
            if is_fit:
                await work(host, scheduler, security)
            if not is_fit or host.changed.is_set():  # it would be unfit again at once
                await rest(host, QUARANTINE_S)
            if reason := await host.insist(host.refusal):
                raise UsageError(f"refused by {scheduler}: {reason}")


async def work(host: Host, scheduler: str, security: Security | None) -> None:
    """Be a worker of the scheduler until it is gone, or this host is to leave."""
    options: dict[str, Any] = {"security": security} if security else {}
    worker = HostWorker(
        scheduler, name=host.name, nthreads=1, resources=dask_resources(host.facts),
        memory_limit=0, validate=False, dashboard=False, **options,
    )  # fmt: skip
    worker.measuring_host = host
    if not host.process.stopping:
        host.changed.clear()
    try:
        await worker
        host.tell(f"in the fleet of {scheduler} as {host.name}")
        finished = asyncio.ensure_future(worker.finished())
        leaving = asyncio.ensure_future(host.changed.wait())
        await asyncio.wait((finished, leaving), return_when=asyncio.FIRST_COMPLETED)
        for waiting in (finished, leaving):
            waiting.cancel()
        reason = "the connection ended"
    except Exception as error:  # noqa: BLE001 - whatever it is: another attempt follows
        reason = f"{type(error).__name__}: {error}"
    finally:
        with suppress(Exception):
            await worker.close()
    if not host.process.stopping and not host.changed.is_set():
        host.tell(f"not in the fleet of {scheduler}: {reason}")
        await rest(host, PAUSE_S)


async def rest(host: Host, seconds: float) -> None:
    """Wait, but not when this process is to end."""
    host.changed.clear()
    if not host.process.stopping:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(host.changed.wait(), seconds)
