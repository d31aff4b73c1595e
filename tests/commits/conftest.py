"""Repositories of a tiny package, as git has them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from opperf.commits.repository.git_repository import GitRepository

if TYPE_CHECKING:
    from pathlib import Path

NOTHING_ELSE = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_TERMINAL_PROMPT": "0",
}  # fmt: skip
ROLES = ("AUTHOR", "COMMITTER")
WHO = {f"GIT_{role}_{what}": "a@b.c" for role in ROLES for what in ("NAME", "EMAIL")}
NOON = 1_795_435_200
"""A Monday's noon, UTC: 2026-11-23."""
HOUR, DAY = 3600, 86400
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "tiny"
version = "1.0"
"""
BACKEND = """\
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "tiny-1.0-py3-none-any.whl"
    about = "tiny-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.write("tiny.py")
        wheel.write("tiny_operators.py")
        wheel.writestr(f"{about}/entry_points.txt", "[opperf.operators]\\ntiny = tiny_operators\\n")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr(f"{about}/RECORD", "tiny.py,,\\ntiny_operators.py,,\\n")
    return name
"""
OPERATORS = """\
from math import prod
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
import tiny

class Twice(Declaration):
    \"\"\"2 * data, by the package.\"\"\"

    category = "tiny"
    tensors = {"data": Tensor()}
    sizes = {size: {"data": (256,)} for size in ("small", "typical", "large", "skewed")}
    differentiable = False

    def outputs(self):
        return (self.inputs["data"],)

    def flop_count(self):
        return prod(self.inputs["data"])

    @staticmethod
    def reference(data):
        return tiny.twice(data)
"""
UNDECIDED = {
    "operator": "Twice", "framework": "numpy", "direction": "forward", "size": "small",
    "fused": None, "inputs": {"data": [256]}, "verdict": "undecided", "confirmed": None,
    "control": False, "ratio": 1.0,
}  # fmt: skip
"""A row of a comparison in which nothing was timed."""
SCRIPT = """\
set -e
packages=$(echo "$VIRTUAL_ENV"/lib/python*/site-packages)
about=$packages/tiny-1.0.dist-info
mkdir "$about"
cp "$1/tiny.py" "$1/tiny_operators.py" "$packages"
printf 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n' > "$about/METADATA"
printf '[opperf.operators]\\ntiny = tiny_operators\\n' > "$about/entry_points.txt"
printf '{"url": "file://%s"}' "$1" > "$about/direct_url.json"
printf 'tiny.py,,\\ntiny_operators.py,,\\n' > "$about/RECORD"
"""
"""A build without pip, which takes a second."""
TWICE = "def twice(data):\n    return data + data\n"
SLOW = "def twice(data):\n    return sum([data] * 16) / 8\n"


@dataclass
class Source:
    """A repository that a test writes commits into; each is an hour after the one before it."""

    path: Path
    time: int = NOON

    def git(self, *words: str) -> str:
        """Return what git says."""
        environment = {**os.environ, **NOTHING_ELSE, **WHO}
        environment |= {f"GIT_{who}_DATE": f"{self.time} +0900" for who in ROLES}
        return subprocess.run(
            ["git", *words],  # noqa: S607 - the user's git
            cwd=self.path, env=environment, check=True, capture_output=True,
            text=True,
        ).stdout.strip()  # fmt: skip

    def commit(self, code: str = "", *, time: int | None = None, title: str = "") -> str:
        """Commit another module and return the hash."""
        self.time = self.time + HOUR if time is None else time
        (self.path / "tiny.py").write_text(code or f"VALUE = {self.time}\n{TWICE}")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", title or str(self.time))
        return self.git("rev-parse", "HEAD")

    @property
    def repository(self) -> GitRepository:
        """The repository as it is followed."""
        return GitRepository.open(self.path)


def write_package(folder: Path) -> None:
    """Write a package that needs nothing from anywhere, but for its module."""
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "tiny_operators.py").write_text(OPERATORS)


@pytest.fixture
def frameworks(tmp_path: Path) -> Path:
    """Return the folder of scripts by which commits are built at once."""
    folder = tmp_path / "frameworks"
    (folder / "tiny" / "cpu").mkdir(parents=True)
    (folder / "tiny" / "cpu" / "build.sh").write_text(SCRIPT)
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """Return a repository of a package that needs nothing from anywhere, without a commit yet."""
    folder = tmp_path / "source"
    write_package(folder)
    made = Source(folder)
    made.git("init", "--quiet", "--initial-branch=main")
    return made
