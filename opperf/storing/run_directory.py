"""The run directory: run.json (the manifest), results.jsonl (the journal) and logs/."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from difflib import get_close_matches
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from opperf.core.disk import sync_directory, write_whole
from opperf.core.errors import UsageError
from opperf.storing.document import LONGEST
from opperf.storing.errors import StorageError
from opperf.storing.manifest import COMPARISON, SCHEMA, check_manifest, parse_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MANIFEST = "run.json"
RESULTS = "results.jsonl"
LAST = "last"
RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{6}")
SHOWN = 5
"""How many runs an error lists."""


@dataclass(frozen=True)
class RunDirectory:
    """Where one run keeps what it finds."""

    path: Path
    results_name: str = RESULTS

    @classmethod
    def create(cls, runs_dir: Path, manifest: Mapping[str, Any]) -> RunDirectory:
        """Make the directory of a new run, with its manifest and no result yet.

        `manifest` is plain JSON; its format's name, the run's id and the time are added to it.

        Raises:
            UsageError: The directory cannot be written.
        """
        try:
            runs_dir.mkdir(parents=True, exist_ok=True)
            run = cls(make_directory(runs_dir))
            run.results_path.touch()
            run.write_manifest(manifest)
            sync_directory(runs_dir)
        except OSError as error:
            reason = f"{error.strerror}; set runs_dir to a directory that can be written"
            raise UsageError(f"cannot create a run in {runs_dir}: {reason}") from error
        return run

    @classmethod
    def find(cls, runs_dir: Path, run: str) -> RunDirectory:
        """Return the run that a text names.

        Args:
            runs_dir: The directory of all runs.
            run: A run's id or the beginning of one, "last" for the newest, or the path of a run
                directory or of a results file, which may lie anywhere.

        Raises:
            UsageError: There is no such run, or several begin like this.
        """
        run_ids = list_runs(runs_dir)
        if run == LAST and run_ids:
            return cls(runs_dir / run_ids[-1])
        if run and run not in run_ids and exists(Path(run)):
            return cls.at(Path(run))
        return cls(runs_dir / choose(runs_dir, run_ids, run))

    @classmethod
    def at(cls, path: Path) -> RunDirectory:
        """Return the run in a directory, or the one that a results file belongs to."""
        if path.is_file():
            return cls(path.parent, path.name)
        if not any(path.joinpath(name).is_file() for name in (MANIFEST, RESULTS)):
            raise UsageError(f"{path} is no run directory: it holds no {MANIFEST} or {RESULTS}")
        return cls(path)

    @property
    def run_id(self) -> str:
        """The run's id: the directory's name."""
        return self.path.absolute().name

    @property
    def label(self) -> str:
        """The title of a run: its id, and the file's name if that differs."""
        return self.run_id if self.results_name == RESULTS else f"{self.run_id}/{self.results_name}"

    @property
    def results_path(self) -> Path:
        """The journal, one result a line."""
        return self.path / self.results_name

    def manifest(self) -> dict[str, Any]:
        """Return what the run was asked to do, every field of it as it must be.

        Raises:
            UsageError: There is no manifest, or it is damaged or of another version.
        """
        with self.naming_the_manifest() as path:
            return check_manifest(load(path))

    @property
    def is_comparison(self) -> bool:
        """Whether the manifest says so, whatever else is wrong with it; without one it is none."""
        try:
            with self.naming_the_manifest() as path:
                return load(path).get("kind") == COMPARISON
        except UsageError:
            return False

    @contextmanager
    def naming_the_manifest(self) -> Iterator[Path]:
        """Name the manifest in an error about it."""
        path = self.path / MANIFEST
        try:
            yield path
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error

    def add_packages(self, packages: Mapping[str, str]) -> None:
        """Note which versions were found, once the frameworks are loaded."""
        text = json.dumps({**self.manifest(), "packages": dict(packages)}, indent=2)
        write_whole(self.path / MANIFEST, text.encode() + b"\n")

    def remove_empty(self) -> None:
        """Remove a run without a result, and the folder of runs where that was all of it."""
        if self.results_path.is_file() and not self.results_path.stat().st_size:
            rmtree(self.path)
            with suppress(OSError):
                self.path.parent.rmdir()

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Write run.json, which makes the directory a run."""
        created_at = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        own = {"schema": SCHEMA, "run_id": self.run_id, "created_at": created_at}
        text = json.dumps({**own, **manifest, **own}, indent=2, allow_nan=False)
        write_whole(self.path / MANIFEST, text.encode() + b"\n")

    def save_log(self, number: int, text: bytes) -> Path:
        """Write logs/0041.log for number 41, in the place of an earlier one.

        Raises:
            StorageError: It cannot be written.
        """
        path = self.path / "logs" / f"{number:04d}.log"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text)
        except OSError as error:
            raise StorageError(f"cannot write {path}: {error.strerror}; free space") from error
        return path


def load(path: Path) -> dict[str, Any]:
    """Return a manifest that is whole, whatever its fields are."""
    with path.open("rb") as file:
        return parse_manifest(file.read(LONGEST + 1))


def make_run_id(moment: datetime) -> str:
    """Return an id that sorts by time: the second, its 4096th part, and three random digits."""
    fraction = moment.microsecond * 4096 // 1_000_000
    return f"{moment:%Y%m%dT%H%M%S}-{fraction:03x}{token_hex(2)[:3]}"


def make_directory(runs_dir: Path) -> Path:
    """Make an empty directory by the name of a new run."""
    while True:
        path = runs_dir / make_run_id(datetime.now(timezone.utc))
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return path


def list_runs(runs_dir: Path) -> list[str]:
    """Return the ids of all runs that have a manifest, oldest first."""
    try:
        names = (entry.name for entry in runs_dir.iterdir() if RUN_ID.fullmatch(entry.name))
        return sorted(name for name in names if exists(runs_dir / name / MANIFEST))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"cannot read runs directory {runs_dir}: {error.strerror}") from error


def exists(path: Path) -> bool:
    """Return whether there is a file or a directory that this process may see."""
    try:
        return path.is_file() or path.is_dir()
    except OSError:  # a name too long to be one, or no permission
        return False


def choose(runs_dir: Path, run_ids: Sequence[str], run: str) -> str:
    """Return the one id that begins with the text."""
    matches = [run_id for run_id in run_ids if run and run_id.startswith(run)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = list_newest(matches)
        raise UsageError(f"run {run!r} could be {names} in {runs_dir}; give more of the id")
    if not run_ids:
        raise UsageError(
            f"unknown run {run!r}; there are no runs in {runs_dir}: `opperf run` first"
        )
    near = get_close_matches(run, run_ids, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    names = list_newest(run_ids)
    raise UsageError(f"unknown run {run!r}; {hint}allowed in {runs_dir}: {names}, {LAST} or a path")


def list_newest(run_ids: Sequence[str]) -> str:
    """Return the newest few of the ids, and how many more there are."""
    names = ", ".join(run_ids[: -SHOWN - 1 : -1])
    rest = len(run_ids) - SHOWN
    return f"{names} (and {rest} older)" if rest > 0 else names
