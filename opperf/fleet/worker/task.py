"""What Dask calls on a host; its arguments are a row's number alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from distributed.worker import Worker, get_worker

if TYPE_CHECKING:
    from opperf.fleet.worker.host import Host


class HostWorker(Worker):
    """Dask's worker, which knows its host."""

    measuring_host: Host


async def carry_out(number: int) -> None:
    """Carry a job out on the host whose worker this is.

    A coroutine, because Dask has these in the thread of its event loop, which then sleeps while
    something is measured.
    """
    await cast("HostWorker", get_worker()).measuring_host.carry_out(number)
