"""Making virtual environments with uv where it is there, else with venv and pip."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LAST_LINES = 3
"""How much of what an installer said last an error repeats."""
ERROR = re.compile(r"\b\w*error\b\W", re.IGNORECASE)
FRAME = " \u2502\u2570\u2500>\u00d7"
"""What pip draws round the output of a build."""
ISOLATED = ("-I", "-m")
"""How a module is run without the modules of the folder that the user is in."""
QUIETLY = ("--disable-pip-version-check", "--no-input")
"""How pip neither asks nor looks for a newer one of itself."""
LOCK = "opperf.lock"
"""The lock that an environment was made from, in its folder."""
MISMATCH = re.compile(
    r"^ +(?P<wheel>\S+)(?: from (?P<url>[^\s#]+))?.*:\n +Expected sha256 (?P<expected>[0-9a-f]+)"
    r"(?:.*\n)*? +Got +(?P<got>[0-9a-f]+)",
    re.MULTILINE,
)
"""How pip says that a wheel is another one than its hash is of."""
GUARDED = 'exec 3<&0 </dev/null; (read _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-'
"""Run a command, and kill all that it has started once the other end of the pipe is closed that it
has as its standard input; shells know no other descriptors above 9."""
LONGEST = 3600.0
"""Seconds that an installation may take: a framework may have to be built."""


@dataclass(frozen=True, kw_only=True)
class Supply:
    """Where packages come from, and files of constraints that say which of their versions."""

    offline: bool = False
    folders: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    @property
    def options(self) -> list[str]:
        """The same as options of pip and of uv."""
        named = {"--find-links": self.folders, "--constraint": self.constraints}
        given = [word for flag, paths in named.items() for path in paths for word in (flag, path)]
        return [*(["--no-index"] if self.offline else []), *given]


INDEX = Supply()
"""The installer's own index, and no constraints."""


def make(python: str, path: Path) -> None:
    """Make an empty virtual environment.

    Raises:
        UsageError: says what went wrong.
    """
    if uv := shutil.which("uv"):
        run([uv, "venv", "--quiet", "--python", python, str(path)])
    else:
        run([python, *ISOLATED, "venv", str(path)])


def install(path: Path, requirements: Sequence[str], supply: Supply = INDEX) -> tuple[str, ...]:
    """Install what is required; return the packages that are there then, with their versions.

    Raises:
        UsageError: says what the installer said last.
    """
    python = str(path / "bin" / "python")
    if uv := shutil.which("uv"):
        run(
            [
                uv,
                "pip",
                "install",
                "--quiet",
                "--python",
                python,
                *supply.options,
                "--",
                *requirements,
            ]
        )
        listed = run([uv, "pip", "freeze", "--python", python])
    else:
        pip = [python, *ISOLATED, "pip", *QUIETLY]
        run([*pip, "install", "--quiet", *supply.options, *requirements])
        listed = run([*pip, "freeze"])
    return tuple(listed.split("\n")[:-1])


def make_locked(python: str, path: Path, lock: str) -> tuple[str, ...]:
    """Make a virtual environment of a lock's wheels; return the packages that are there then.

    By pip alone, which the lock is written for: uv reads other settings of indexes.

    Raises:
        UsageError: a wheel is not to be had, or is not the one of the lock.
    """
    run([python, *ISOLATED, "venv", str(path)])
    file = path / LOCK
    file.write_text(lock, encoding="utf-8")
    pip = [str(path / "bin" / "python"), *ISOLATED, "pip", *QUIETLY]
    exactly = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    run([*pip, "install", "--quiet", *exactly, "-r", str(file)])
    return tuple(run([*pip, "freeze"]).split("\n")[:-1])


def run(command: Sequence[str]) -> str:
    """Run a command and return what it printed.

    Raises:
        UsageError: it failed; repeats the last lines of what it said.
    """
    what = " ".join(part.rpartition("/")[2] for part in command[:4])
    try:
        status, out, err = run_guarded(command)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"`{what} ...` failed: {error}") from error
    if status != 0:
        raise UsageError(f"`{what} ...` failed: {telling(err or out)}")
    return out


def run_guarded(
    command: Sequence[str],
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> tuple[int, str, str]:
    """Return the exit status of a command and what it printed.

    It ends when this process does, however that ends, and with it all that it has started. What
    this process lets others inherit, such as a lock, the command holds as long as it runs.

    Args:
        command: its words.
        folder: where it runs; None for where this process does.
        variables: its environment; None for that of this process.
    """
    waiting, lifeline = os.pipe()
    try:
        with subprocess.Popen(  # noqa: S603 - arguments as a list; requirements were checked
            ["/bin/sh", "-c", GUARDED, "sh", *command],
            stdin=waiting,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=folder,
            env=variables,
            close_fds=False,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=LONGEST)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
    finally:
        os.close(waiting)
        os.close(lifeline)
    return process.returncode, out, err


def telling(output: str) -> str:
    """Return the last lines that name an error, else the last lines: pip ends with advice."""
    if other := MISMATCH.search(output):
        where = f" of {other['url']}" if other["url"] else ""
        return (
            f"{other['wheel']}{where} has sha256 {other['got']}, and its lock says "
            f"{other['expected']}"
        )
    lines = [*dict.fromkeys(line.strip(FRAME) for line in output.splitlines())]
    errors = [line for line in lines if ERROR.search(line)]
    return "; ".join((errors or [line for line in lines if line])[-LAST_LINES:]) or "nothing said"
