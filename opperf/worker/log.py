"""What a child prints: kept aside, and shown only where it explains a failure."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO

TAIL = 4096
LONGEST = 500
MOST = 2**20
CONTROL = re.compile(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]")


@dataclass
class Log:
    """A child's output in a file without a name, read from where the task at hand began."""

    file: IO[bytes] = field(default_factory=TemporaryFile)
    start: int = 0

    def mark(self) -> None:
        """Let the task at hand begin here."""
        self.start = os.fstat(self.file.fileno()).st_size

    def content(self) -> bytes:
        """Return what was printed since the mark, its end if there is much."""
        size = os.fstat(self.file.fileno()).st_size
        begin = max(self.start, size - MOST)
        return os.pread(self.file.fileno(), size - begin, begin)

    def tail(self) -> str:
        """Return the end of it as harmless text."""
        return harmless(self.content()[-TAIL:])

    def last_line(self) -> str:
        """Return the last line of it, where a traceback says what went wrong."""
        return self.tail().rpartition("\n")[2][-LONGEST:]


def harmless(data: bytes) -> str:
    """Return text without control characters, which a terminal would obey."""
    return CONTROL.sub("", data.decode(errors="replace")).strip()
