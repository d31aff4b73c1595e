"""Reading results.jsonl: one result a line, and a last line that may be torn.

A line is torn where a process was killed, or the machine lost power, while it was written: it has
no newline, or is not JSON. Only the last line can be, because the next run cuts a torn one off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from opperf.core.errors import UsageError
from opperf.core.result import Result, from_mapping
from opperf.storing.document import LONGEST, NotJsonError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SHOWN = 300
"""How many characters of what is wrong an error shows."""
BEGINNINGS = (b"{", b"\0")
"""What a torn first line can begin with: a record, or the zeros of a block never written."""


class Record(Protocol):
    """What a journal holds, a line each."""

    @property
    def result_id(self) -> str:
        """What no other record has."""
        ...

    @property
    def operator(self) -> Mapping[str, Any]:
        """What was run: its `name` on which `framework`."""
        ...

    def to_json(self) -> str:
        """Return it as one line."""
        ...


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, kw_only=True)
class Reading(Generic[R]):
    """The results of a file, what was ignored on the way, and the bytes before a torn end."""

    results: tuple[R, ...] = ()
    warning: str | None = None
    size: int = 0


def read(path: Path) -> Reading[Result]:
    """Return the results in the file, and as a warning what was left out; see `read_records`."""
    return read_records(path, from_mapping)


def read_records(path: Path, understand: Callable[[object], R]) -> Reading[R]:
    """Return the records in the file, and as a warning what was left out.

    A torn last line is left out, and so is a line that repeats an earlier record. `understand`
    returns the record that a JSON object stands for.

    Raises:
        UsageError: The file cannot be read, or is damaged anywhere else; names the line.
    """
    reader = Reader(path, understand)
    try:
        with path.open("rb") as file:
            lines = iter(partial(file.readline, LONGEST + 1), b"")
            for number, line in enumerate(lines, start=1):
                reader.take(number, line, last=not file.peek(1))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    return reader.reading()


def parse_line(line: bytes) -> object:
    """Return the JSON that a line holds."""
    if len(line) > LONGEST:
        raise UsageError(f"longer than {LONGEST >> 20} MiB")
    if not line.endswith(b"\n"):
        raise NotJsonError("no newline at its end")
    return parse(line)


class Reader(Generic[R]):
    """Takes the lines one after the other, and remembers what they amount to."""

    def __init__(self, path: Path, understand: Callable[[object], R]) -> None:
        self.path = path
        self.understand = understand
        self.results: dict[str, R] = {}
        self.repeated = 0
        self.torn: str | None = None
        self.size = 0

    def take(self, number: int, line: bytes, *, last: bool) -> None:
        """Add the result of a line, or remember that it is torn."""
        try:
            self.add(self.understand(parse_line(line)))
            self.size += len(line)
        except UsageError as error:
            message = f"{self.path} line {number}: {str(error)[:SHOWN]}"
            could_be_torn = number > 1 or line.startswith(BEGINNINGS)
            if not (last and could_be_torn and isinstance(error, NotJsonError)):
                raise UsageError(message) from error
            self.torn = f"{message}; this torn last line is left out"

    def add(self, result: R) -> None:
        """Add a result, unless it is there already."""
        earlier = self.results.setdefault(result.result_id, result)
        if earlier is result:
            return
        if earlier != result:
            raise UsageError(f"result_id {result.result_id!r} stands for another result above")
        self.repeated += 1

    def reading(self) -> Reading[R]:
        """Return what the lines amount to."""
        repeated = f"{self.path}: lines left out because they repeat earlier ones: {self.repeated}"
        parts = (repeated if self.repeated else None, self.torn)
        return Reading(
            results=tuple(self.results.values()),
            warning="; ".join(filter(None, parts)) or None,
            size=self.size,
        )
