"""Reading results.jsonl, one result a line, or a JSON array of results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from opperf.core.errors import UsageError
from opperf.core.results.reading import from_mapping
from opperf.core.results.superseding import counting
from opperf.storing.document import parse
from opperf.storing.lines import SHOWN, Lines, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from opperf.core.results.parts import OperatorRecord
    from opperf.core.results.result import Result

FIRST = 64
"""Bytes that tell a JSON array from lines."""
LARGEST_ARRAY = 256 * 2**20
"""Bytes of a file that is read as a whole: some 80,000 results."""


class Record(Protocol):
    """What a journal holds, a line each."""

    @property
    def result_id(self) -> str:
        """What no other record has."""
        ...

    @property
    def operator(self) -> OperatorRecord:
        """What was run: its `name` on which `framework`."""
        ...

    def to_json(self) -> str:
        """Return it as one line."""
        ...


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, kw_only=True)
class FileContents(Generic[R]):
    """The records of a file, what was ignored on the way, and the bytes before a torn end."""

    results: tuple[R, ...] = ()
    warning: str | None = None
    size: int = 0


def read(path: Path) -> FileContents[Result]:
    """Return the results that count, and as a warning what was left out, damaged ones included.

    Of a row that was measured once more that is the later one. The file may also be a JSON array of
    results, as `--output-format json` writes it.

    Raises:
        UsageError: Nothing of it can be read.
    """
    found = read_array(path) if is_array(path) else read_whole(path, from_mapping)
    return replace(found, results=tuple(counting(found.results)))


def is_array(path: Path) -> bool:
    """Return whether a file begins as a JSON array does."""
    try:
        with path.open("rb") as file:
            return file.read(FIRST).lstrip().startswith(b"[")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def read_array(path: Path) -> FileContents[Result]:
    """Return the results of a JSON array.

    Raises:
        UsageError: The file is too large, no JSON array, or all of its results are damaged.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_ARRAY + 1)
    if len(data) > LARGEST_ARRAY:
        raise UsageError(f"{path}: larger than {LARGEST_ARRAY >> 20} MiB; write it as jsonl")
    reader: Reader[Result] = Reader(path)
    damage: list[str] = []
    try:
        records: Any = parse(data)
    except UsageError as error:
        raise UsageError(f"{path}: {str(error)[:SHOWN]}") from error
    for number, record in enumerate(records, start=1):
        try:
            reader.add(from_mapping(record))
        except UsageError as error:  # noqa: PERF203 - each result by itself
            damage.append(f"{path} result {number}: {str(error)[:SHOWN]}")
    return reader.reading(len(data), damage_note(damage, whole=bool(reader.results)))


def damage_note(damage: Sequence[str], *, whole: bool) -> str | None:
    """Return what is said of damaged records beside `whole` ones, None where there are none.

    Raises:
        UsageError: There are no others.
    """
    if not damage:
        return None
    if not whole:
        raise UsageError(damage[0])
    return f"{damage[0]}; damaged results left out: {len(damage)}"


def read_whole(path: Path, understand: Callable[[object], R]) -> FileContents[R]:
    """Return the records of a file that are not damaged, and as a warning what was left out.

    Raises:
        UsageError: The file cannot be read, or all of its records are damaged.
    """
    return read_records(path, understand, damage=[])


def read_records(
    path: Path, understand: Callable[[object], R], damage: list[str] | None = None
) -> FileContents[R]:
    """Return the records in the file, and as a warning what was left out.

    A torn last line is left out, and so is a line that repeats an earlier record, and where there
    is a list for them, damaged ones. `understand` returns the record that a JSON object stands for.

    Raises:
        UsageError: The file cannot be read, or is damaged with no list for it; names the line.
    """
    lines = Lines(path, lambda line: understand(parse_json(line)), damage)
    reader: Reader[R] = Reader(path)
    for record in lines:
        with lines.naming_the_line():
            reader.add(record)
    warning = damage_note(damage or (), whole=bool(reader.results))
    return reader.reading(lines.size, warning, lines.torn)


def parse_line(line: bytes) -> Result:
    """Return the result that a line holds."""
    return from_mapping(parse_json(line))


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

    def reading(self, size: int, *warnings: str | None) -> FileContents[R]:
        """Return what the records of so many bytes amount to."""
        repeated = f"{self.path}: lines left out because they repeat earlier ones: {self.repeated}"
        parts = (repeated if self.repeated else None, *warnings)
        return FileContents(
            results=tuple(self.results.values()),
            warning="; ".join(filter(None, parts)) or None,
            size=size,
        )
