"""Reading a journal in a third of the time: lines as opperf writes them, decoded in one go.

Whatever is unusual about a line goes the careful way, which says what is wrong with it. Results of
one process share their environment: one object, not one each.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import MsgspecError, structs
from msgspec.json import Decoder

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.conversion import record_part
from opperf.core.results.environment import EnvironmentRecord
from opperf.core.results.older_names import OLDER_NAMES
from opperf.core.results.result import Result
from opperf.core.results.superseding import counting
from opperf.storing.database.decoding import decode, read_json
from opperf.storing.lines import Lines, check_line
from opperf.storing.reading import FileContents, Reader, damage_note, is_array, parse_line, read

if TYPE_CHECKING:
    from pathlib import Path

DECODER = Decoder(Result)
MARK = b',"environment":'
"""What stands before the environment, which a line of opperf has last."""
SHARED = 64
"""Environments that are remembered: those of the processes that a run has at a time."""


def read_quickly(path: Path) -> FileContents[Result]:
    """Return what `opperf.storing.read` returns.

    Raises:
        UsageError: Nothing of the file can be read.
    """
    if is_array(path):
        return read(path)
    damage: list[str] = []
    lines = Lines(path, result_of_line, damage)
    reader: Reader[Result] = Reader(path)
    for record in lines:
        with lines.naming_the_line():
            reader.add(record)
    warning = damage_note(damage, whole=bool(reader.results))
    found = reader.reading(lines.size, warning, lines.torn)
    return replace(found, results=tuple(counting(found.results)))


def result_of_line(line: bytes) -> Result:
    """Return the result of a line, by the careful way where the line is not as usual."""
    check_line(line)
    return usual_result(line) or parse_line(line)


def usual_result(line: bytes) -> Result | None:
    """Return the result of a line, None where there is anything to look at more closely."""
    body, mark, tail = line.rpartition(MARK)
    checked = decode(line) if mark else None
    if checked is None or checked.operator.name in OLDER_NAMES:
        return None
    if tail != bytes(checked.environment) + b"}\n":
        return None
    with suppress(MsgspecError, UsageError):
        milliseconds_of(checked.started_at)
        result = DECODER.decode(body + b"}")
        return structs.replace(result, environment=environment_of(tail[:-2]))
    return None


@lru_cache(SHARED)
def environment_of(data: bytes) -> dict[str, Any]:
    """Return the environment that stands at the end of a line."""
    facts: Any = read_json(data)
    record_part(facts, EnvironmentRecord, "environment.")
    return facts  # type: ignore[no-any-return]
