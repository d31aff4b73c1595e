"""What may be said of a store's address, and whether it holds a password."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from opperf.core.errors import UsageError

LOGIN = re.compile(r"(?<=://)[^:@]*:.*@", re.DOTALL)
"""A user and a password as anybody may have written them, up to the last @ there is."""
FIELD = re.compile(r"([?&#;\s])([^=&#;\s]+)=([^&#;\s]*)")
"""A setting, wherever it stands."""
SECRET = ("pass", "secret", "token", "key")
"""What the name of a setting holds whose value is nobody else's business."""


def redact(address: str) -> str:
    """Return the address without what may be a password; rather more than less is left out."""
    hidden = LOGIN.sub(lambda match: f"{match[0].partition(':')[0]}:***@", address)
    return FIELD.sub(lambda f: f"{f[1]}{f[2]}=***" if is_secret(f[2]) else f[0], hidden)


def is_secret(name: str) -> bool:
    """Return whether a setting of this name, percent signs and all, holds a secret."""
    decoded = unquote_plus(name).casefold()
    return any(word in decoded for word in SECRET)


def refuse_password(address: str) -> None:
    """Refuse a password on the command line: every user of the machine could read it there.

    It is judged by the parser that will be used, where that is installed, and by `redact`.
    """
    if redact(address) != address or has_password(address):
        raise UsageError(
            f"--store {redact(address)}: a command line is no place for a password; set "
            "OPPERF_STORE, or leave it out and use ~/.pgpass or PGPASSWORD"
        )


def has_password(address: str) -> bool:
    """Return whether SQLAlchemy finds a password in a URL; it may not be installed."""
    if "://" not in address:
        return False
    try:
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        return False
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        return False  # which is no address: it is refused where it is opened
    return url.password is not None or any(map(is_secret, url.query))
