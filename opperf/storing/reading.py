"""Reading results.jsonl: one result a line, and a last line that may be torn.

A line is torn where a process was killed, or the machine lost power, while it was written: it has
no newline, or is not JSON. Only the last line can be, because the next run cuts a torn one off.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from opperf.core.errors import UsageError
from opperf.core.results.result import Result, from_mapping
from opperf.core.results.superseding import latest
from opperf.storing.document import LONGEST, NotJsonError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")
FIRST = 64
"""Bytes that tell a JSON array from lines."""
LARGEST_ARRAY = 256 * 2**20
"""Bytes of a file that is read as a whole: some 80,000 results."""
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
    """The records of a file, what was ignored on the way, and the bytes before a torn end."""

    results: tuple[R, ...] = ()
    warning: str | None = None
    size: int = 0


def read(path: Path) -> Reading[Result]:
    """Return the results that count, and as a warning what was left out; see `read_records`.

    Of a row that was measured once more that is the later one. The file may also be a JSON array of
    results, as `--output-format json` writes it.
    """
    found = read_array(path) if is_array(path) else read_records(path, from_mapping)
    return replace(found, results=tuple(latest(found.results)))


def is_array(path: Path) -> bool:
    """Return whether a file begins as a JSON array does."""
    try:
        with path.open("rb") as file:
            return file.read(FIRST).lstrip().startswith(b"[")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def read_array(path: Path) -> Reading[Result]:
    """Return the results of a JSON array.

    Raises:
        UsageError: The file is too large, or damaged anywhere; names the result.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_ARRAY + 1)
    if len(data) > LARGEST_ARRAY:
        raise UsageError(f"{path}: larger than {LARGEST_ARRAY >> 20} MiB; write it as jsonl")
    reader: Reader[Result] = Reader(path)
    place = ""
    try:
        records: Any = parse(data)
        for number, record in enumerate(records, start=1):
            place = f" result {number}"
            reader.add(from_mapping(record))
    except UsageError as error:
        raise UsageError(f"{path}{place}: {str(error)[:SHOWN]}") from error
    return Reading(results=tuple(reader.results.values()), size=len(data))


def read_records(path: Path, understand: Callable[[object], R]) -> Reading[R]:
    """Return the records in the file, and as a warning what was left out.

    A torn last line is left out, and so is a line that repeats an earlier record. `understand`
    returns the record that a JSON object stands for.

    Raises:
        UsageError: The file cannot be read, or is damaged anywhere else; names the line.
    """
    lines = Lines(path, lambda line: understand(parse_json(line)))
    reader: Reader[R] = Reader(path)
    for record in lines:
        with lines.naming_the_line():
            reader.add(record)
    return reader.reading(lines)


def parse_line(line: bytes) -> Result:
    """Return the result that a line holds."""
    return from_mapping(parse_json(line))


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
    read some of them already sets `number` and `size` first.

    Raises:
        UsageError: While it is read: the file cannot be, or a line before its end is damaged.
    """

    def __init__(self, path: Path, parse_line: Callable[[bytes], T]) -> None:
        self.path = path
        self.parse_line = parse_line
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
                        self.refuse(error, line, last=not file.peek(1))
                        return
                    self.size += len(line)
                    yield parsed
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from error

    def refuse(self, error: UsageError, line: bytes, *, last: bool) -> None:
        """Remember that a line is torn, or raise what is wrong with it."""
        could_be_torn = self.number > 1 or line.startswith(BEGINNINGS)
        if not (last and could_be_torn and isinstance(error, NotJsonError)):
            raise UsageError(self.name_line(error)) from error
        self.torn = f"{self.name_line(error)}; this torn last line is left out"

    def name_line(self, error: UsageError) -> str:
        """Return what is wrong with the line in hand."""
        return f"{self.path} line {self.number}: {str(error)[:SHOWN]}"

    @contextmanager
    def naming_the_line(self) -> Iterator[None]:
        """Name the line in hand in an error about what it holds."""
        try:
            yield
        except UsageError as error:
            raise UsageError(self.name_line(error)) from error


class Reader(Generic[R]):
    """Takes the records one after the other, and remembers what they amount to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, R] = {}
        self.repeated = 0

    def add(self, result: R) -> None:
        """Add a result, unless it is there already."""
        earlier = self.results.setdefault(result.result_id, result)
        if earlier is result:
            return
        if earlier != result:
            raise UsageError(f"result_id {result.result_id!r} stands for another result above")
        self.repeated += 1

    def reading(self, lines: Lines[R]) -> Reading[R]:
        """Return what the lines amount to."""
        repeated = f"{self.path}: lines left out because they repeat earlier ones: {self.repeated}"
        parts = (repeated if self.repeated else None, lines.torn)
        return Reading(
            results=tuple(self.results.values()),
            warning="; ".join(filter(None, parts)) or None,
            size=lines.size,
        )
