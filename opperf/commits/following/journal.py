"""The journal of a driver: what it has done, safe against a kill at any line, with one writer."""

from __future__ import annotations

import json
import os
import socket
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from typing import TYPE_CHECKING, Any

from opperf.commits.building.room import NoRoomError
from opperf.commits.following.event import FollowEvent, FollowProgress, event_from
from opperf.core.disk import sync_directory, write_through
from opperf.core.errors import UsageError, quote_path
from opperf.core.results.record import now
from opperf.storing.lines import Lines, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "follow.jsonl"
REMEDY = "free space, then give the same command: it goes on with the commit in hand"


class FollowJournal:
    """The events of a driver, and how far they have brought it.

    A torn last line, of a driver that was killed, is cut off first. Whoever writes it is the only
    driver of its folder.

    Raises:
        UsageError: the file is damaged, or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.progress = FollowProgress()
        try:
            with self.path.open("ab"):
                pass
            lines = Lines(self.path, understand)
            self.progress.add(lines)
            self.size = lines.size
            os.truncate(self.path, self.size)
            sync_directory(folder)
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from error

    def write(self, kind: str, **fields: Any) -> None:
        """Keep what was done; once this returns, it survives even a power cut.

        Raises:
            NoRoomError: the disk is full; nothing of it is kept then.
        """
        event = FollowEvent(kind, fields)
        data = event.to_json().encode() + b"\n"
        try:
            with self.path.open("ab", buffering=0) as file:
                write_through(file, data)
        except OSError as error:
            os.truncate(self.path, self.size)
            raise NoRoomError(f"cannot write {self.path}: {error.strerror}; {REMEDY}") from error
        self.size += len(data)
        self.progress.add([event])


def understand(line: bytes) -> FollowEvent:
    """Return the event of a line."""
    return event_from(parse_json(line))


@contextmanager
def only_driver(folder: Path) -> Iterator[None]:
    """Be the only driver of a folder; the system lets go of the lock however the process ends.

    Raises:
        UsageError: another one is; says which.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"cannot write {quote_path(folder)}: {error.strerror}; give another --exec_dir"
        ) from error
    with file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{holder(folder)} follows this branch already ({quote_path(folder)}): "
                "wait until it ends, or stop it"
            ) from None
        file.truncate(0)
        about = {"process": os.getpid(), "host": socket.gethostname(), "since": now()}
        file.write(json.dumps(about))
        file.flush()
        yield


def holder(folder: Path) -> str:
    """Return who holds the lock of a folder, as a line of text names it."""
    try:
        about = json.loads((folder / "lock").read_text(encoding="utf-8"))
        return f"process {about['process']} of {about['host']} (since {about['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
