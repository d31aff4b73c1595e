"""Telling a scheduler that there are new rows, by a connection with certificates."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError, UsageError

if TYPE_CHECKING:
    from distributed.security import Security

PATIENCE_S = 30.0


class SchedulerError(OpperfError):
    """The scheduler cannot be reached."""


def greet(address: str, security: Security | None, name: str = "") -> dict[str, Any]:
    """Return what the scheduler says: its version, and whether its store has a submission.

    Raises:
        SchedulerError: It does not answer, or does not take this certificate.
        UsageError: There is something else at the address.
    """
    from distributed.core import rpc

    from opperf.fleet.scheduler.service import HELLO

    options = {"connection_args": security.get_connection_args("client")} if security else {}

    async def ask() -> Any:
        async with rpc(address, timeout=PATIENCE_S, **options) as scheduler:
            return await getattr(scheduler, HELLO)(name=name)

    try:
        found: dict[str, Any] = asyncio.run(ask())
    except (OSError, asyncio.TimeoutError) as error:
        raise SchedulerError(f"no scheduler answers at {address}: {error}") from error
    except (AttributeError, ValueError, KeyError) as error:
        raise UsageError(f"{address} is no scheduler of `opperf fleet scheduler`") from error
    return found
