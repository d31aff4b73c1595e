"""What Dask calls on a host; its arguments are a row's number alone."""

from __future__ import annotations

from distributed.worker import get_worker


async def carry_out(number: int) -> None:
    """Carry a job out on the host whose worker this is.

    A coroutine, because Dask has these in the thread of its event loop, which then sleeps while
    something is measured.
    """
    await get_worker().opperf_host.carry_out(number)
