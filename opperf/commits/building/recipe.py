"""How commits are built: of which python, and by which script where there is one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from opperf.comparing.arms.venv import IDENTITY
from opperf.core.errors import UsageError, quote, quote_path
from opperf.core.results.identity import digest

SCRIPT = "build.sh"
VERSION = 1
"""Raised where builds are made in another way, so that older ones are made anew."""


@dataclass(frozen=True)
class Recipe:
    """How a commit is built: with pip, or by a script.

    Args:
        python: the interpreter that environments are made of; they see its packages.
        script: what builds, None for pip.
        program: the name of the file that the script may make.
    """

    python: str = sys.executable
    script: Path | None = None
    program: str = "program"

    @cached_property
    def identity(self) -> str:
        """What stands for it: the same for the same way of building."""
        said = subprocess.run(  # noqa: S603 - opperf's own interpreter or the user's
            [self.python, "-I", "-c", IDENTITY], capture_output=True, text=True, check=True,
            timeout=60,
        )  # fmt: skip
        script = None if self.script is None else self.script.read_text(errors="replace")
        return digest([VERSION, said.stdout, script, self.program])

    @property
    def words(self) -> str:
        """How a person reads it."""
        return "pip install" if self.script is None else f"sh {self.script}"


def recipe_of(frameworks_dir: Path, framework: str, platform: str) -> Recipe:
    """Return the recipe of FRAMEWORKS_DIR/FRAMEWORK/PLATFORM/build.sh.

    A framework's own build.sh is for the platforms that have none.

    Raises:
        UsageError: there is no script.
    """
    folder = frameworks_dir / framework
    for name in (framework, platform):
        if not name or Path(name).name != name or name.startswith("."):
            raise UsageError(f"{quote(name)} is no folder's name in {quote_path(frameworks_dir)}")
    for script in (folder / platform / SCRIPT, folder / SCRIPT):
        if script.is_file():
            return Recipe(script=script.absolute(), program=f"{framework}_benchmark")
    raise UsageError(
        f"--frameworks_dir: there is no {quote_path(folder / platform / SCRIPT)}; "
        "write one, or leave --frameworks_dir out to build with pip"
    )
