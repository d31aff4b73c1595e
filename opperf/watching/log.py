"""What a command prints: kept in a file of bounded size, and handed on by whole lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from pathlib import Path

MOST = 2**26
"""Bytes of a log, its older part included."""
LONGEST_LINE = 2**14
"""Characters of a line that patterns see; what comes after them is in the log only."""


class RotatedLog:
    """A file of at most half of `limit` bytes, and beside it NAME.1 with as many before these.

    `fault` says why nothing is written any more, as on a full disk: the command goes on, and so
    does what is read of its output. `dropped` counts the bytes that are in neither file.
    """

    def __init__(self, path: Path, limit: int = MOST) -> None:
        self.path = path
        self.older = path.with_name(f"{path.name}.1")
        self.half = max(limit // 2, 1)
        self.size = self.older_size = self.dropped = 0
        self.fault: str | None = None
        self.file: BinaryIO
        try:
            self.file = path.open("wb", buffering=0)
        except OSError as error:
            raise UsageError(f"cannot write {quote_path(path)}: {error.strerror}") from error

    def write(self, data: bytes) -> None:
        """Append to the file; an older half gives way where it is full."""
        while data:
            room = self.half - self.size
            written = self.append(data[:room])
            if self.fault is not None:
                self.dropped += len(data) - written
                return
            data = data[room:]
            if self.size >= self.half:
                self.rotate()

    def append(self, part: bytes) -> int:
        """Write a part, or note why not; return how many bytes were written."""
        rest = memoryview(part)
        try:
            while rest and self.fault is None:
                written = self.file.write(rest)
                self.size += written
                rest = rest[written:]
        except OSError as error:
            self.fault = f"{quote_path(self.path)}: {error.strerror}"
        return len(part) - len(rest)

    def rotate(self) -> None:
        """Begin a new file; the one before takes the older one's place."""
        self.file.close()
        try:
            self.path.replace(self.older)
            self.dropped += self.older_size
            self.older_size, self.size = self.size, 0
            self.file = self.path.open("wb", buffering=0)
        except OSError as error:
            self.fault = f"{quote_path(self.path)}: {error.strerror}"

    def close(self) -> None:
        """Close the file and keep it."""
        self.file.close()

    def remove(self) -> None:
        """Close it and remove what was written."""
        self.close()
        for path in (self.path, self.older):
            path.unlink(missing_ok=True)


@dataclass
class LineSplitter:
    """Makes blocks of whole lines of data as it comes, each line ended by a newline.

    Carriage returns end lines too. Of a line that never ends the beginning is handed on.
    """

    rest: bytearray = field(default_factory=bytearray)
    cut: bool = False

    def feed(self, data: bytes) -> bytes:
        """Return the lines that are whole now."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self.cut:
            _, ended, data = data.partition(b"\n")
            self.cut = not ended
        block, end = b"", data.rfind(b"\n") + 1
        if end:
            block = bytes(self.rest) + data[:end]
            self.rest.clear()
        self.rest += data[end:]
        if len(self.rest) > LONGEST_LINE:
            self.cut = True
            block += self.end()
        return block

    def end(self) -> bytes:
        """Return the last line, where nothing ends it."""
        line = bytes(self.rest[:LONGEST_LINE])
        self.rest.clear()
        return line + b"\n" if line else b""
