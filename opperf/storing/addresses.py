"""What may be said of a store's address; the standard library suffices."""

from __future__ import annotations

import re

from opperf.core.errors import UsageError

PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):[^/?#]*@")
"""A URL's user and password."""
QUERY = re.compile(r"(?i)([?&](?:password|sslpassword|passfile|passwd)=)[^&#]*")


def redact(address: str) -> str:
    """Return the address without its password."""
    return QUERY.sub(r"\1***", PASSWORD.sub(r"\1:***@", address))


def refuse_password(address: str) -> None:
    """Refuse a password on the command line: every user of the machine could read it there."""
    if redact(address) != address:
        raise UsageError(
            f"--store {redact(address)}: a command line is no place for a password; set "
            "OPPERF_STORE, or leave it out and use ~/.pgpass or PGPASSWORD"
        )
