"""One report in the spool: a line a record, whose first byte says what has become of it.

The byte is overwritten in place, which is atomic and takes no room on a disk that is full.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote_path
from opperf.fetching.places import explaining
from opperf.specs.reporters.json_bytes import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

WAITING, SENT, REFUSED = b" ", b"+", b"!"
LINE = re.compile(rb"([ +!])([0-9a-f]{32}) (\{.*\})\n")
DIGITS = 32
LARGEST = 64 * 2**20
"""Bytes of a message."""
LONGEST_LINE = LARGEST + DIGITS + 8


@dataclass(frozen=True)
class Message:
    """What is sent of one record: exactly these bytes, however often it must be tried.

    The key is a hash of all that they say, so that the same record has the same key for ever.
    """

    key: str
    body: bytes

    @classmethod
    def of(cls, category: str, meta: Mapping[str, Any], record: Mapping[str, Any]) -> Message:
        """Return the message of a record.

        Raises:
            UsageError: JSON has no such value, or it is too large.
        """
        content = {"category": category, "meta": meta, "record": record}
        key = sha256(to_json(content)).hexdigest()[:DIGITS]
        body = to_json({**content, "key": key})
        if len(body) > LARGEST:
            raise UsageError(f"a record of {len(body)} bytes: at most {LARGEST} are sent")
        return cls(key, body)

    @property
    def line(self) -> bytes:
        """The line that waits to be sent."""
        return b"%s%s %s\n" % (WAITING, self.key.encode(), self.body)


@dataclass(frozen=True)
class SpooledMessage:
    """A message of a batch, what has become of it, and where its line begins."""

    message: Message
    state: bytes
    offset: int


class Batch:
    """The file of one report."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> Iterator[bytes]:
        """Yield the lines; another process may have sent the report, and let it go."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        with file:
            while line := file.readline(LONGEST_LINE):
                yield line

    def messages(self) -> Iterator[SpooledMessage]:
        """Yield the messages, without lines that are damaged."""
        offset = 0
        for line in self.lines():
            if match := LINE.fullmatch(line):
                state, key, body = match.groups()
                yield SpooledMessage(Message(key.decode(), body), state, offset)
            offset += len(line)

    def count(self, state: bytes) -> int:
        """Return of how many messages this has become."""
        return sum(found.state == state for found in self.messages())

    def is_damaged(self) -> bool:
        """Return whether some line is none of ours."""
        return any(not LINE.fullmatch(line) for line in self.lines())

    def mark(self, found: SpooledMessage, state: bytes) -> None:
        """Write down, before anything else is done, what has become of a message."""
        with (
            explaining(f"mark what was sent in {quote_path(self.path)}", "free space"),
            self.path.open("r+b", buffering=0) as file,
        ):
            file.seek(found.offset)
            file.write(state)
            os.fsync(file)
