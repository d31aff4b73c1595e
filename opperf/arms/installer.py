"""Making virtual environments with uv where it is there, else with venv and pip."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LAST_LINES = 3
"""How much of what an installer said last an error repeats."""
ERROR = re.compile(r"\b\w*error\b\W", re.IGNORECASE)
FRAME = " \u2502\u2570\u2500>\u00d7"
"""What pip draws round the output of a build."""
LONGEST = 3600.0
"""Seconds that an installation may take: a framework may have to be built."""


def make(python: str, path: Path) -> None:
    """Make an empty virtual environment.

    Raises:
        UsageError: says what went wrong.
    """
    if uv := shutil.which("uv"):
        run([uv, "venv", "--quiet", "--python", python, str(path)])
    else:
        run([python, "-m", "venv", str(path)])


def install(path: Path, requirements: Sequence[str]) -> tuple[str, ...]:
    """Install what is required; return the packages that are there then, with their versions.

    Raises:
        UsageError: says what the installer said last.
    """
    python = str(path / "bin" / "python")
    if uv := shutil.which("uv"):
        run([uv, "pip", "install", "--quiet", "--python", python, "--", *requirements])
        listed = run([uv, "pip", "freeze", "--python", python])
    else:
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
        run([*pip, "install", "--quiet", *requirements])
        listed = run([*pip, "freeze"])
    return tuple(listed.split("\n")[:-1])


def run(command: Sequence[str]) -> str:
    """Run a command and return what it printed.

    Raises:
        UsageError: it failed; repeats the last lines of what it said.
    """
    what = " ".join(part.rpartition("/")[2] for part in command[:4])
    try:
        found = subprocess.run(  # noqa: S603 - arguments as a list; requirements were checked
            command, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"`{what} ...` failed: {error}") from error
    if found.returncode != 0:
        raise UsageError(f"`{what} ...` failed: {telling(found.stderr or found.stdout)}")
    return found.stdout


def telling(said: str) -> str:
    """Return the last lines that name an error, else the last lines: pip ends with advice."""
    lines = [*dict.fromkeys(line.strip(FRAME) for line in said.splitlines())]
    errors = [line for line in lines if ERROR.search(line)]
    return "; ".join((errors or [line for line in lines if line])[-LAST_LINES:]) or "nothing said"
