"""A folder with one sound document of each stored format, damaged one after the other."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections import Counter
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from opperf.cli import main
from tests.calls import documents as calls
from tests.calls import traces
from tests.readers import documents
from tests.readers.documents import AB, ARMS, NIGHTS, OTHER, RUN, SWEEP
from tests.readers.mutations import CELLS, TEXTS, mutated, places, spoiled
from tests.readers.verbs import AFTER_IMPORT, READERS, STORE, Words, carry_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES: dict[str, tuple[str, str]] = {
    "record": ("run", f"runs/{RUN}/results.jsonl"),
    "run.json": ("run", f"runs/{RUN}/run.json"),
    "run.json of a sweep": ("sweep", f"runs/{SWEEP}/run.json"),
    "run.json of a comparison": ("comparison", f"runs/{AB}/run.json"),
    "pair": ("comparison", f"runs/{AB}/results.jsonl"),
    "arms.json": ("comparison", f"runs/{AB}/arms.json"),
    "run.json of several arms": ("arms", f"runs/{ARMS}/run.json"),
    "pair of several arms": ("arms", f"runs/{ARMS}/results.jsonl"),
    "arms.json of several arms": ("arms", f"runs/{ARMS}/arms.json"),
    "saved array": ("saved", "saved.json"),
    "verdicts": ("verdicts", "verdicts.json"),
    "calls file": ("calls", "toy.calls.json"),
    "trace": ("trace", "toy.trace.json"),
    "log": ("log", "toy.txt"),
}
"""Each format's file, and for which documents the verbs read it."""
LINES = ("record", "pair", "pair of several arms")
LOG = "log"


SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - what is written to is made by tempfile


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Give an empty folder, in memory where there is such a place: nothing waits for a disk."""
    place = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
    with TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


@dataclass
class Tally:
    """What came of many inputs."""

    inputs: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)


class Workshop:
    """A folder with one sound document of each format, damaged one after the other."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.folder = folder
        self.random = Random(seed)  # noqa: S311 - which damage comes next is no secret
        self.documents: dict[str, Any] = {
            "record": documents.records(),
            "run.json": documents.manifest(RUN),
            "run.json of a sweep": documents.manifest(SWEEP),
            "run.json of a comparison": documents.manifest(AB),
            "pair": documents.pairs(),
            "arms.json": {name: dict(documents.ENVIRONMENT) for name in "ab"},
            "run.json of several arms": documents.manifest(ARMS),
            "pair of several arms": documents.arm_pairs(),
            "arms.json of several arms": {"ref": dict(documents.ENVIRONMENT)},
            "saved array": documents.records(),
            "verdicts": documents.verdicts(),
            "calls file": calls.document(),
            "trace": traces.document(),
            "log": calls.LOG.splitlines(),
        }
        self.prepare()
        self.whole = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def prepare(self) -> None:
        """Write everything as it is when nothing is damaged."""
        for run in (RUN, OTHER, SWEEP, AB, ARMS):
            (self.folder / "runs" / run).mkdir(parents=True)
        self.write(f"runs/{OTHER}/run.json", json.dumps(documents.manifest(OTHER)).encode())
        for run in (OTHER, SWEEP):
            self.write(f"runs/{run}/results.jsonl", lines(documents.records(run)))
        for name, (_, file) in FILES.items():
            document = self.documents[name]
            data = lines(document) if name in LINES else json.dumps(document).encode()
            self.write(file, calls.LOG.encode() if name == LOG else data)
        for number in range(NIGHTS):
            (self.folder / f"runs/night-{number:02}").mkdir()
            self.write(f"runs/night-{number:02}/results.jsonl", lines(documents.night(number)))
        nights = [f"runs/night-{number:02}" for number in range(NIGHTS)]
        with self.here():
            self.sound(("db", "init", *STORE))
            self.sound(("import", *nights, *STORE))
            self.sound(("baseline", "set", "night-05", "--note", "released", *STORE))
            self.sound(("baseline", "note", "2026-09-03", "new kernel", *STORE))
            self.change = self.name_of_change()
            self.sound(("baseline", "ack", self.change, "--until", "2030-01-01", *STORE))
            self.sound(("db", "init", "--store", "other.db"))
            self.sound(("import", "runs/night-05", "--store", "other.db"))
        for name in ("results.db", "other.db"):
            connection = sqlite3.connect(self.folder / name)
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.close()

    def sound(self, words: Words) -> None:
        """Carry out what is sound."""
        ending = carry_out(words)
        if ending.code != 0 or ending.trouble:
            raise AssertionError(f"{words}: {ending}")

    def name_of_change(self) -> str:
        """Return the name of the change that the store knows."""
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            main(("changes", "--since", "2026-01-01", "--format", "json", *STORE))
        (change,) = json.loads(out.getvalue())
        return str(change["change"])

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""
        (self.folder / name).write_bytes(data)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Work in the folder, in a terminal of a width that nobody changes."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            with patch.dict(os.environ, {"COLUMNS": "160"}):
                yield
        finally:
            os.chdir(before)

    def damages(self) -> Iterator[tuple[str, Any, Any]]:
        """Yield every way to damage a document: each format in turn, its ways in random order."""
        found: list[tuple[str, Any, Any]] = [
            (name, place, text)
            for name, document in self.documents.items()
            for place in places(document)
            for text in TEXTS
            if place or name not in LINES
        ]
        connection = sqlite3.connect(self.folder / "results.db")
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            for column in connection.execute(f"PRAGMA table_info({table})"):
                found += [("store cell", (table, column[1]), cell) for cell in CELLS]
        connection.close()
        self.random.shuffle(found)
        by_format: dict[str, list[Any]] = {}
        for damage in found:
            by_format.setdefault(damage[0], []).append(damage)
        for round_ in zip_longest(*by_format.values()):
            yield from filter(None, round_)

    def attack(self, most: int, tally: Tally) -> None:
        """Damage and read so many times, each time with a verb drawn from those that read it."""
        with self.here():
            while tally.inputs < most:
                for damage in self.damages():
                    self.attack_once(*damage, tally)
                    if tally.inputs >= most:
                        return

    def attack_once(self, name: str, place: Any, value: Any, tally: Tally) -> None:
        """Damage one document, and read it by one verb."""
        kind = "store" if name == "store cell" else FILES[name][0]
        verbs = [verb for verb, by_kind in READERS.items() if kind in by_kind]
        verb = self.random.choice(verbs)
        words = (verb, *self.random.choice(READERS[verb][kind]))
        chain = [tuple(self.change if word == "CHANGE" else word for word in words)]
        if verb == "import":
            chain += self.random.sample(AFTER_IMPORT, 2)
        try:
            if not self.damage(name, place, value):
                return
            tally.inputs += 1
            tally.formats[name] += 1
            for command in chain:
                ending = carry_out(command)
                tally.codes[ending.code or 0] += not ending.trouble
                if ending.trouble:
                    what = f"{name} {place} = {str(value)[:60]}"
                    tally.troubles.append(f"{' '.join(command)}\n    {what}\n    {ending.trouble}")
        finally:
            self.restore()

    def damage(self, name: str, place: Any, value: Any) -> bool:
        """Put a value into a place, and return whether it can be there."""
        if name == "store cell":
            return self.damage_cell(place, value)
        document, file = self.documents[name], FILES[name][1]
        if name in LINES:
            number, *inner = place
            damaged = lines(document).splitlines(keepends=True)
            damaged[number] = mutated(document[number], tuple(inner), value) + b"\n"
            self.write(file, b"".join(damaged))
        elif name == LOG:
            self.write(file, spoiled(document, place, value, self.random))
        else:
            self.write(file, mutated(document, place, value))
        return True

    def damage_cell(self, place: tuple[str, str], cell: tuple[str, Any]) -> bool:
        """Put a value into a cell of a row, where its column takes it."""
        (table, column), (expression, value) = place, cell
        connection = sqlite3.connect(self.folder / "results.db")
        try:
            rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table}")]  # noqa: S608
            row = self.random.choice(rows)
            connection.execute(
                f"UPDATE {table} SET {column} = {expression} WHERE rowid = ?",  # noqa: S608
                (value, row),
            )
            connection.commit()
        except (sqlite3.IntegrityError, OverflowError):
            return False
        finally:
            connection.close()
        return True

    def restore(self) -> None:
        """Bring back what was changed, and remove what was added."""
        for path in [path for path in self.folder.iterdir() if path.is_file()]:
            if path not in self.whole:
                path.unlink()
        for path, data in self.whole.items():
            if path.name != "results.jsonl" or "night" not in path.parent.name:
                same = False
                with suppress(OSError):
                    same = path.stat().st_size == len(data) and path.read_bytes() == data
                if not same:
                    path.write_bytes(data)


def lines(documents_: Sequence[Any]) -> bytes:
    """Return a journal."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in documents_)
