"""Telling a full disk from a commit that does not build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.fetching.places import FULL

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("No space left on device", "Disk quota exceeded", "File too large", "Errno 28")
"""What the system's own messages are, which most programs repeat."""
PROBE = 2**22
"""Bytes that there must be room for where a build has failed for another reason."""


class NoRoomError(UsageError):
    """The disk is full: no fault of the commit that was being built."""


def is_full(text: str, folder: Path) -> bool:
    """Return whether something failed because nothing more could be written into a folder.

    Most programs say so. Some, such as git, do not: then a few megabytes are written to find out.
    """
    return any(words in text for words in WORDS) or not has_room(folder)


def has_room(folder: Path) -> bool:
    """Return whether some megabytes can still be written into a folder."""
    path = folder / "room"
    try:
        path.write_bytes(bytes(PROBE))
    except OSError as error:
        return error.errno not in FULL
    finally:
        path.unlink(missing_ok=True)
    return True
