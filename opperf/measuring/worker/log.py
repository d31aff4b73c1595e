"""What a child prints: kept aside, and shown only where it explains a failure.

It goes through a pipe that the parent reads, so that a child which prints without end fills neither
a disk nor the memory: of each task the beginning and the end are kept. The parent is woken by what
is printed, twenty times a second at most, and by nothing where nothing is printed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field

TAIL = 4096
LONGEST = 500
HEAD, END = 2**18, 2**19
"""Bytes of a task's output that are kept from its beginning and from its end."""
ROOM = 2**20
"""Bytes that a child may print before the parent reads them."""
SET_PIPE_SIZE = 1031
CONTROL = re.compile(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]")


@dataclass
class OutputLog:
    """A child's output since the task at hand began; `pipe` is None where no child writes."""

    pipe: int | None = None
    head: bytearray = field(default_factory=bytearray)
    end: bytearray = field(default_factory=bytearray)
    left_out: int = 0

    def open(self) -> int:
        """Return the descriptor that a new child is to print to; what it prints is read here."""
        self.close()
        self.pipe, end = os.pipe()
        os.set_blocking(self.pipe, False)
        with suppress(ImportError, OSError):  # smaller where the system allows no more
            from fcntl import fcntl

            fcntl(self.pipe, SET_PIPE_SIZE, ROOM)
        return end

    def close(self) -> None:
        """Read what is left, and no more."""
        self.read()
        if self.pipe is not None:
            os.close(self.pipe)
        self.pipe = None

    def read(self) -> None:
        """Take what has been printed, twice what the pipe holds at most: one may print for ever."""
        for _ in range(2 * ROOM // 2**16):
            data = self.take()
            if not data:
                return
            self.add(data)

    def take(self) -> bytes:
        """Return what is in the pipe, nothing where there is nothing yet or no more to come."""
        if self.pipe is None:
            return b""
        try:
            data = os.read(self.pipe, 2**16)
        except OSError:
            return b""
        if not data:
            os.close(self.pipe)
            self.pipe = None
        return data

    def add(self, data: bytes) -> None:
        """Keep the beginning and the end of all that was printed."""
        room = HEAD - len(self.head)
        self.head += data[:room]
        self.end += data[room:]
        if len(self.end) > 2 * END:
            self.left_out += len(self.end) - END
            del self.end[:-END]

    def mark(self) -> None:
        """Let the task at hand begin here."""
        self.read()
        self.head.clear()
        self.end.clear()
        self.left_out = 0

    def content(self) -> bytes:
        """Return what was printed since the mark, without its middle if there is much."""
        self.read()
        left_out = self.left_out + max(len(self.end) - END, 0)
        between = f"\n... {left_out} bytes left out ...\n".encode() if left_out else b""
        return bytes(self.head) + between + bytes(self.end[-END:])

    def tail(self) -> str:
        """Return the end of it as harmless text."""
        return harmless(self.content()[-TAIL:])

    def last_line(self) -> str:
        """Return the last line of it, where a traceback says what went wrong."""
        return self.tail().rpartition("\n")[2][-LONGEST:]


def harmless(data: bytes) -> str:
    """Return text without control characters, which a terminal would obey."""
    return CONTROL.sub("", data.decode(errors="replace")).strip()
