"""A bisection on disk: what was asked for, and each step, so that it goes on after any end.

`bisection.json` says what is sought, and is written once. `steps.jsonl` gets a line for each
session and for each commit that is left out, which is on the disk before the next one is begun. All
else follows from them. A line that a kill has torn is cut off.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from opperf.core.disk import sync_directory, write_through, write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.core.results.conversion import record_part
from opperf.storing.document import parse
from opperf.storing.errors import StorageError
from opperf.storing.lines import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO
    from pathlib import Path

ASKED, STEPS = "bisection.json", "steps.jsonl"
SCHEMA = "opperf.bisection/1"
SESSION, LEFT_OUT, FAILED = "session", "left_out", "failed"


class Candidate(Struct, frozen=True, kw_only=True):
    """One of the commits, or versions, in order: its name, and what it is about."""

    name: str
    title: str = ""
    time: int = 0

    def __str__(self) -> str:
        """Return how a line of text names it."""
        short = self.name[:12]
        return f"{short} ({self.title})" if self.title else short


class BisectionRequest(Struct, frozen=True, kw_only=True):
    """What a bisection is of: it stays as it was when it began.

    `kind` is "commits" of the repository `source`, or "versions" of the project `source`;
    `selection` and `limits` say what is measured, `quest` what is sought.
    """

    schema: str
    kind: str
    source: str
    candidates: list[Candidate]
    selection: dict[str, Any]
    limits: dict[str, Any]
    quest: dict[str, Any]
    script: str | None = None
    command: str = ""


class BisectionStep(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step: a session of two candidates, a failed one, or a candidate that is left out.

    Candidates are numbered from 0, GOOD; `plans` says how the blocks of each row were taken, `rows`
    the logarithm of the ratio of each.
    """

    event: str
    low: int
    high: int
    why: str = ""
    ratio: float | None = None
    rows: dict[str, float] = {}
    plans: dict[str, dict[str, Any]] = {}
    started_at: str = ""


class State:
    """The folder of a bisection, held by this process."""

    def __init__(
        self,
        folder: Path,
        file: FileIO,
        request: BisectionRequest,
        entries: list[BisectionStep],
    ) -> None:
        self.folder = folder
        self.file = file
        self.request = request
        self.entries = entries

    def append(self, entry: BisectionStep) -> None:
        """Keep a step; once this returns, it survives even a power cut.

        Raises:
            StorageError: it cannot be kept.
        """
        line = json.dumps(to_builtins(entry), allow_nan=False)
        try:
            write_through(self.file, line.encode() + b"\n")
        except OSError as error:
            raise StorageError(
                f"cannot write {quote_path(self.folder / STEPS)}: {error.strerror}; "
                "free space, then `opperf bisect --resume`"
            ) from error
        self.entries.append(entry)


def begin(folder: Path, request: BisectionRequest) -> None:
    """Write what a bisection is of.

    Raises:
        UsageError: the folder holds one that has taken a step, or cannot be written.
    """
    if is_begun(folder):
        raise UsageError(
            f"{quote_path(folder)} holds a bisection already: go on with "
            f"`opperf bisect --resume --state {folder}`, or give another --state"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(to_builtins(request), indent=2)
        write_whole(folder / ASKED, text.encode() + b"\n")
    except OSError as error:
        raise UsageError(f"cannot write {quote_path(folder)}: {error.strerror}") from error


def is_begun(folder: Path) -> bool:
    """Return whether a folder holds a bisection that has taken a step."""
    steps = folder / STEPS
    return (folder / ASKED).exists() and steps.exists() and steps.stat().st_size > 0


@contextmanager
def holding_state(folder: Path) -> Iterator[State]:
    """Give the state in a folder, which no other process has meanwhile.

    Raises:
        UsageError: there is none, it is damaged, or another process has it.
    """
    from fcntl import LOCK_EX, LOCK_NB, flock

    request = request_in(folder)
    path = folder / STEPS
    try:
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot write {quote_path(path)}: {error.strerror}") from error
    with file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{quote_path(folder)}: another process goes on with this bisection; "
                "wait until it ends, or stop it"
            ) from None
        entries = entries_in(path, len(request.candidates))
        sync_directory(folder)
        yield State(folder, file, request, entries)


def request_in(folder: Path) -> BisectionRequest:
    """Return what the bisection in a folder is of.

    Raises:
        UsageError: there is none, or it is damaged.
    """
    path = folder / ASKED
    try:
        found = record_part(parse(path.read_bytes()), BisectionRequest)
    except OSError:
        raise UsageError(
            f"{quote_path(folder)} holds no bisection; begin one: opperf bisect GOOD BAD -k FILTER"
        ) from None
    except UsageError as error:
        raise UsageError(f"{quote_path(path)} is damaged: {error}") from error
    if found.schema != SCHEMA:
        raise UsageError(f"{quote_path(path)}: unknown version {found.schema!r}; use {SCHEMA}")
    if len(found.candidates) < 2:  # noqa: PLR2004 - GOOD and BAD
        raise UsageError(f"{quote_path(path)} is damaged: it has no two candidates")
    return found


def entries_in(path: Path, count: int) -> list[BisectionStep]:
    """Return the steps in a file, from which a torn last line is cut off."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    entries = []
    for number, line in enumerate(whole.splitlines(keepends=True), start=1):
        try:
            entry = record_part(parse_json(line), BisectionStep)
            is_sound = entry.event in (SESSION, LEFT_OUT, FAILED)
            is_sound &= 0 <= entry.low <= entry.high < count
            is_sound &= (entry.event == SESSION) == (entry.ratio is not None)
        except (UsageError, ValueError) as error:
            raise UsageError(f"{quote_path(path)}, line {number}: damaged: {error}") from error
        if not is_sound:
            raise UsageError(f"{quote_path(path)}, line {number}: no step of this bisection")
        entries.append(entry)
    return entries
