"""What databases say when something is wrong, in one line with its remedy."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from opperf.core.errors import UsageError
from opperf.storing.errors import BusyStoreError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.errors import OpperfError

BUSY = "store {name} is being written by another process; wait until it ends, then try again"
FULL = "cannot write store {name}: {reason}; free space, then do the same again: nothing is doubled"
DAMAGED = (
    "{name} is no store, or a damaged one ({reason}); put a copy back, or make a new one with "
    "`opperf db init` and import the journals again"
)
CLOSED = "cannot open store {name}: {reason}; check the path and its permissions"
GONE = (
    "cannot reach store {name}: {reason}; journals are not touched by this: when it is back, do "
    "the same again"
)
REFUSED = "store {name} failed: {reason}; nothing of this was stored"

MESSAGES: tuple[tuple[tuple[str, ...], type[OpperfError], str], ...] = (
    (("database is locked", "lock timeout", "database table is locked"),
     BusyStoreError, BUSY),
    (("disk is full", "disk full", "no space left", "disk I/O error"), StorageError, FULL),
    (("not a database", "malformed", "no such column", "no such table", "does not exist",
      "file is encrypted"), UsageError, DAMAGED),
    (("unable to open", "readonly database", "read-only", "permission denied", "authentication",
      "no password supplied"), UsageError, CLOSED),
    (("connect", "server closed", "terminating", "shutting down", "starting up",
      "could not receive", "could not send", "consuming input", "eof detected"),
     StorageError, GONE),
)  # fmt: skip
"""What the driver's own message holds, in the order of trying."""
SHOWN = 200


@contextmanager
def translate(name: str) -> Iterator[None]:
    """Raise a database's errors as ours, with the name of the store."""
    try:
        yield
    except SQLAlchemyError as error:
        raise explain(name, error) from error
    except UnicodeDecodeError as error:  # of SQLite's own words, where they quote a damaged name
        reason = "it holds a name that is no text"
        raise UsageError(DAMAGED.format(name=name, reason=reason)) from error


def explain(name: str, error: SQLAlchemyError) -> OpperfError:
    """Return the error that says what is wrong and what to do."""
    reason = " ".join(str(getattr(error, "orig", None) or error).split())[:SHOWN]
    for marks, kind, message in MESSAGES:
        if any(mark.lower() in reason.lower() for mark in marks):
            return kind(message.format(name=name, reason=reason))
    return StorageError(REFUSED.format(name=name, reason=reason))
