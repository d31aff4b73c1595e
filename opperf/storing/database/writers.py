"""The lock of those who write a store on PostgreSQL, held until the transaction's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection

PATIENCE = 30.0
"""Seconds that a writer waits for another one."""
LOCK = 0x6F707065_7266
"""The lock's number: "opperf"."""
ALONE, BESIDE_OTHERS = "pg_advisory_xact_lock", "pg_advisory_xact_lock_shared"
"""How it is taken by who may change any row, and by who only adds results."""


def wait_for_others(connection: Connection, patience: float, how: str) -> None:
    """Take the lock, or give up after so many seconds, as for any lock until the end."""
    longest = {"patience": f"{int(1000 * patience)}ms"}
    connection.execute(text("SELECT set_config('lock_timeout', :patience, true)"), longest)
    connection.execute(text(f"SELECT {how}(:lock)"), {"lock": LOCK})
