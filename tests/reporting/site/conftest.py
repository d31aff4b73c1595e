"""A folder of runs of two nights and more, and the site of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests.readers import documents
from tests.readers.documents import AB, ARMS, BEGIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

NIGHTS = 8
SLOWER = 1.5
OPERATORS = ("Add", "Exp", "Sum")


class Folder(Protocol):
    """What writes run directories into a folder."""

    def __call__(self, number: int, **changes: Any) -> Path:
        """Write the run of a night and return its directory."""


@pytest.fixture
def runs_dir(tmp_path: Path) -> Path:
    """Return an empty folder of runs."""
    path = tmp_path / "runs"
    path.mkdir()
    return path


@pytest.fixture
def add_night(runs_dir: Path) -> Folder:
    """Return a function that adds a night's run: of each operator a time; Add has become slower."""

    def add(number: int, operators: tuple[str, ...] = OPERATORS, **changes: Any) -> Path:
        run = f"202611{number + 1:02}T020000-{number:06x}"
        slower = SLOWER if number >= NIGHTS - 3 else 1.0
        lines = []
        for row, name in enumerate(operators):
            median = 1e-3 * (slower if name == "Add" else 1) * (1 + 0.001 * ((number + row) % 3))
            line = documents.record(
                result_id=f"{number:031x}{row:x}", run_id=run, series_key=f"{row:016x}",
                started_at=(BEGIN + timedelta(days=number, seconds=row)).isoformat(),
                operator={**documents.OPERATOR, "name": name},
                environment={**documents.ENVIRONMENT, "kernel": f"6.{int(slower > 1)}"},
                **changes,
            )  # fmt: skip
            line["summary"] |= {"median": median, "interval": [0.99 * median, 1.01 * median]}
            lines.append(line)
        return write_run(runs_dir, run, {**documents.manifest(documents.RUN), "run_id": run}, lines)

    return add


@pytest.fixture
def nights(add_night: Folder, runs_dir: Path) -> Path:
    """Return the folder of eight nights, a comparison of two arms and one of several."""
    for number in range(NIGHTS):
        add_night(number)
    write_run(runs_dir, AB, documents.manifest(AB), documents.pairs())
    write_run(runs_dir, ARMS, documents.manifest(ARMS), documents.arm_pairs())
    return runs_dir


@pytest.fixture
def call() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that carries a command of opperf out, in a process of its own."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "opperf", *words], check=False, capture_output=True, text=True,
            timeout=300,
        )  # fmt: skip

    return run


def write_run(
    runs_dir: Path, run: str, manifest: Mapping[str, Any], lines: list[dict[str, Any]]
) -> Path:
    """Write a run directory."""
    folder = runs_dir / run
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(manifest))
    (folder / "results.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def command_of(site: Path, runs_dir: Path, *more: str) -> list[str]:
    """Return the command that writes a site."""
    flags = ["--site", str(site), "--runs-dir", str(runs_dir), *more]
    return [sys.executable, "-m", "opperf", "report", *flags]


def write_site(site: Path, runs_dir: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Write a site, in a process of its own."""
    return subprocess.run(
        command_of(site, runs_dir, *more), check=False, capture_output=True, text=True,
        env={**os.environ, "NO_COLOR": "1"}, timeout=300,
    )  # fmt: skip


def contents(site: Path) -> dict[str, bytes]:
    """Return the bytes of each file of a site."""
    found = (path for path in sorted(site.rglob("*")) if path.is_file())
    return {str(path.relative_to(site)): path.read_bytes() for path in found}


def states(site: Path) -> dict[str, tuple[int, int]]:
    """Return which file on the disk each name stands for, and when it was written."""
    found = (path for path in site.rglob("*") if path.is_file())
    return {
        str(path.relative_to(site)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found
    }
