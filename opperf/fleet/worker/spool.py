"""The spool of a host: a folder for each attempt, until the store has its results."""

from __future__ import annotations

import json
import zlib
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from shutil import rmtree
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from opperf.core.disk import sync_directory, write_whole
from opperf.core.errors import UsageError
from opperf.fleet.jobs.leases import Lease, end_lease, fail_lease, release_lease
from opperf.fleet.store import changing
from opperf.storing import RunDirectory
from opperf.storing.database.fleet_tables import output
from opperf.storing.database.importing import Importer
from opperf.storing.database.line import take_apart
from opperf.storing.errors import BusyStoreError
from opperf.storing.lines import Lines
from opperf.storing.run_directory import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database
    from opperf.storing.database.line import Line

LEASE, OUTCOME, LOG, RUNS = "lease.json", "outcome.json", "log", "runs"
MEASURED = (0, 10, 11, 12, 13, 14)
"""Exit codes of opperf with which results were found, whatever they say."""
USAGE = 2
"""The exit code of what would be refused in the same way again."""
LONGEST_REASON = 500
LONGEST_LOG = 2**20
"""Bytes of a log that are kept, from its end."""


@dataclass(frozen=True)
class SpoolEntry:
    """One attempt's folder."""

    path: Path
    lease: Lease

    @property
    def runs(self) -> Path:
        """The folder in which opperf makes its run directory."""
        return self.path / RUNS

    def note_outcome(self, exit_code: int | None) -> None:
        """Note that the process ended; from now on the store is to have what it left."""
        text = json.dumps({"exit_code": exit_code})
        write_whole(self.path / OUTCOME, text.encode())

    def outcome(self) -> int | None:
        """Return the exit code; None where the process was ended, or never ended by itself."""
        try:
            code: int | None = json.loads((self.path / OUTCOME).read_text())["exit_code"]
        except FileNotFoundError:
            return None
        return code

    def last_words(self) -> str:
        """Return the last line that the process printed."""
        lines = tail(self.path / LOG).decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1][:LONGEST_REASON] if said else ""

    def log(self) -> bytes:
        """Return the end of what a task's command printed, and then of what the process did."""
        logs = [*sorted(self.runs.glob("*/logs/*.log")), self.path / LOG]
        return b"".join(map(tail, logs))[-LONGEST_LOG:]

    def remove(self) -> None:
        """Forget it."""
        rmtree(self.path)


class HostSpool:
    """All attempts that this host began and the store does not have yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, lease: Lease) -> SpoolEntry:
        """Make the folder of an attempt, with the files that its words name."""
        entry = SpoolEntry(self.folder / f"{lease.job}-{lease.attempt}", lease)
        entry.runs.mkdir(parents=True)
        for name, text in lease.files.items():
            (entry.path / name).write_text(text, encoding="utf-8")
        write_whole(entry.path / LEASE, json.dumps(asdict(lease)).encode())
        sync_directory(self.folder)
        return entry

    def entries(self) -> Iterator[SpoolEntry]:
        """Yield what is there; a folder without its lease was never begun and is removed."""
        for path in sorted(self.folder.iterdir()):
            try:
                found = json.loads((path / LEASE).read_text())
            except FileNotFoundError:
                rmtree(path)
                continue
            yield SpoolEntry(path, Lease(**{**found, "words": tuple(found["words"])}))

    def store_all(self, store: Database) -> list[str]:
        """Bring everything to the store, and return what is to be said of it.

        Raises:
            StorageError: The store cannot be reached; what it does not have stays here.
            BusyStoreError: Others write for long; likewise.
        """
        said = []
        for entry in self.entries():
            try:
                said.append(store_entry(store, entry))
            except BusyStoreError:
                raise
            except UsageError as error:
                said.append(give_up(store, entry, str(error)))
            entry.remove()
        return said


@contextmanager
def sole_owner(spool: HostSpool) -> Iterator[None]:
    """Keep a spool for one worker.

    Raises:
        UsageError: Another worker has the host's name on this machine.
    """
    from fcntl import LOCK_EX, LOCK_NB, flock

    path = spool.folder.with_name(f"{spool.folder.name}.lock")
    with path.open("ab") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"another worker runs here as {spool.folder.name}; give --name, or end that one"
            ) from None
        yield


def tail(path: Path) -> bytes:
    """Return the last `LONGEST_LOG` bytes of a file, none where there is no file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LONGEST_LOG))
            return file.read(LONGEST_LOG)
    except FileNotFoundError:
        return b""


def store_entry(store: Database, entry: SpoolEntry) -> str:
    """End an attempt in the store, its results in the same transaction; return a line about it.

    What another host has meanwhile is not ended, and nothing of this attempt is stored then.
    """
    lease, code = entry.lease, entry.outcome()
    name = f"job {lease.job}, attempt {lease.attempt}"
    if code in MEASURED:
        run = find_run(entry)
        lines, outputs = read_lines(run), read_outputs(entry, run)  # the lock is short without them
        with store.adding() as connection:
            named = None if run is None else run.run_id
            if not end_lease(connection, lease.job, lease.attempt, code, named):
                return f"{name}: not stored, because the lease was taken over"
            if lines:
                Importer(connection).add(lines)
            keep_outputs(connection, lease.job, outputs)
        return f"{name}: stored"
    reason = entry.last_words() or "it said nothing"
    with changing(store) as connection:
        if code == USAGE:
            mine = fail_lease(connection, lease.job, lease.attempt, code, reason)
        else:
            why = "it was ended" if code is None else f"exit code {code}"
            mine = release_lease(connection, lease.job, lease.attempt, f"{why}: {reason}")
        if mine:
            keep_outputs(connection, lease.job, read_outputs(entry, None))
    return f"{name}: not measured: {reason}"


def give_up(store: Database, entry: SpoolEntry, reason: str) -> str:
    """Give an attempt back whose results the store does not take; return a line about it."""
    with changing(store) as connection:
        release_lease(connection, entry.lease.job, entry.lease.attempt, reason)
    return f"job {entry.lease.job}, attempt {entry.lease.attempt}: not stored: {reason}"


def find_run(entry: SpoolEntry) -> RunDirectory | None:
    """Return the run directory that a process made, None where it made none."""
    found = [path for path in sorted(entry.runs.iterdir()) if (path / MANIFEST).is_file()]
    return RunDirectory(found[-1]) if found else None


def read_lines(run: RunDirectory | None) -> list[Line]:
    """Return a run's results, checked; a comparison's pairs are kept as a file, as stores do.

    Raises:
        UsageError: One is damaged.
    """
    if run is None or run.is_comparison:
        return []
    lines = Lines(run.results_path, take_apart)
    with lines.naming_the_line():
        return [*lines]


def read_outputs(entry: SpoolEntry, run: RunDirectory | None) -> dict[str, bytes]:
    """Return an attempt's log and the files of its run by their names, compressed."""
    contents = {LOG: entry.log()}
    if run is not None:
        files = (run.path / MANIFEST, run.results_path)
        contents |= {path.name: path.read_bytes() for path in files}
    return {name: zlib.compress(content) for name, content in contents.items()}


def keep_outputs(connection: Connection, number: int, outputs: Mapping[str, bytes]) -> None:
    """Keep what an attempt of a job wrote in the store, in place of what earlier ones did."""
    query = insert(output)
    replaced = query.on_conflict_do_update(
        index_elements=["job", "name"], set_={"content": query.excluded.content}
    )
    rows = [{"job": number, "name": name, "content": outputs[name]} for name in sorted(outputs)]
    connection.execute(replaced, rows)
