"""The lines of a journal, of which the last may be torn.

A line is torn where a process was killed, or the machine lost power, while it was written: it has
no newline, or is not JSON. Only the last line can be, because the next run cuts a torn one off.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from opperf.core.errors import UsageError
from opperf.storing.document import LONGEST, NotJsonError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

T = TypeVar("T")
SHOWN = 300
"""How many characters of what is wrong an error shows."""
MOST_DAMAGED = 10_000
"""Lines that are left out; a file with more of them is no journal."""
BEGINNINGS = (b"{", b"\0")
"""What a torn first line can begin with: a record, or the zeros of a block never written."""


def parse_json(line: bytes) -> object:
    """Return the JSON that a whole line holds."""
    check_line(line)
    return parse(line)


def check_line(line: bytes) -> None:
    """Refuse a line that is too long, or whose end was never written."""
    if len(line) > LONGEST:
        raise UsageError(f"longer than {LONGEST >> 20} MiB")
    if not line.endswith(b"\n"):
        raise NotJsonError("no newline at its end")


class Lines(Generic[T]):
    """What the lines of a file hold, one after the other, but for a last one that is torn.

    After the last, `torn` says why one was left out, and `size` how many bytes were not. Whoever
    read some of them already sets `number` and `size` first. With a list of `damage`, what is wrong
    with a line is added to it, and reading goes on.

    Raises:
        UsageError: While it is read: the file cannot be, or a line before its end is damaged.
    """

    def __init__(
        self, path: Path, parse_line: Callable[[bytes], T], damage: list[str] | None = None
    ) -> None:
        self.path = path
        self.parse_line = parse_line
        self.damage = damage
        self.number = 0
        self.torn: str | None = None
        self.size = 0

    def __iter__(self) -> Iterator[T]:
        try:
            with self.path.open("rb") as file:
                if self.size:
                    file.seek(self.size)
                lines = iter(partial(file.readline, LONGEST + 1), b"")
                numbered = enumerate(lines, start=self.number + 1)
                for self.number, line in numbered:
                    try:
                        parsed = self.parse_line(line)
                    except UsageError as error:
                        if self.is_torn(error, line, last=not file.peek(1)):
                            self.torn = f"{self.name_line(error)}; this torn last line is left out"
                            return
                        self.leave_out(error, line)
                        self.size += len(line)
                        continue
                    self.size += len(line)
                    yield parsed
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from error

    def is_torn(self, error: UsageError, line: bytes, *, last: bool) -> bool:
        """Return whether a line's end was never written."""
        could_be_torn = self.number > 1 or line.startswith(BEGINNINGS)
        return last and could_be_torn and isinstance(error, NotJsonError)

    def leave_out(self, error: UsageError, line: bytes = b"") -> None:
        """Add what is wrong with the line in hand to the list, or raise it where there is none.

        Nor is a line left out that is too long, or after too many: neither may ever end.
        """
        if self.damage is None or len(line) > LONGEST or len(self.damage) >= MOST_DAMAGED:
            raise UsageError(self.name_line(error)) from error
        self.damage.append(self.name_line(error))

    def name_line(self, error: UsageError) -> str:
        """Return what is wrong with the line in hand."""
        return f"{self.path} line {self.number}: {str(error)[:SHOWN]}"

    @contextmanager
    def naming_the_line(self) -> Iterator[None]:
        """Name the line in hand in an error about what it holds, or leave it out."""
        try:
            yield
        except UsageError as error:
            self.leave_out(error)
