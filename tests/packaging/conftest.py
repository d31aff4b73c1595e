"""The wheel and the source distribution, built once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest import TempPathFactory  # noqa: PT013 - a type

ROOT = Path(__file__).parents[2]
PATIENCE, PATIENCE_WITH_INDEX = 300, 60


def succeed(
    words: Iterable[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> str:
    """Run a command that has to end well, and return all that it printed."""
    done = subprocess.run(
        [*map(str, words)],
        cwd=folder,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: TempPathFactory) -> Path:
    """Return a folder with both, built of a copy of what git has or would have."""
    folder = tmp_path_factory.mktemp("distribution")
    source = folder / "source"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, succeed(listed, ROOT).split("\0")):
        if (ROOT / name).is_file():  # and not removed since
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    command = [sys.executable, "-m", "hatchling", "build", "-d", folder / "dist"]
    succeed(command, source)
    return folder / "dist"


def wheel_of(folder: Path) -> Path:
    """Return the one wheel of a folder."""
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def index(tmp_path_factory: TempPathFactory) -> None:
    """Skip where there is no index of packages."""
    folder = tmp_path_factory.mktemp("asked")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "tabulate"]
    asked = subprocess.run(
        [*command, "--timeout", "10", "--retries", "0", "-d", folder],
        capture_output=True,
        timeout=PATIENCE_WITH_INDEX,
        check=False,
    )
    if asked.returncode:
        pytest.skip("no index of packages can be reached")
