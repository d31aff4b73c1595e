"""Planning the calibrations of a fleet, beside the dispatcher that hands them out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from opperf.core.errors import OpperfError
from opperf.fleet.jobs.calibration import plan_calibrations

if TYPE_CHECKING:
    from opperf.fleet.scheduler.dispatcher import Dispatcher

PAUSE_S = 10.0
"""Seconds between looks for hosts that have no calibration of this period: one may have come."""


async def calibrate(dispatcher: Dispatcher, period: float) -> None:
    """Plan what is due, for ever; of a store that cannot be reached the dispatcher tells."""
    while True:
        with suppress(OpperfError):
            dispatcher.first, hosts = plan_calibrations(dispatcher.store, period)
            if hosts:
                dispatcher.tell(f"{dispatcher.first}: planned for {', '.join(hosts)}")
                dispatcher.woken.set()
        await asyncio.sleep(PAUSE_S)
