"""Git as a program that asks nobody, ends in time, and speaks two protocols only."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TIME_LIMIT = 1800.0
"""Seconds that one command of git may take."""
SETTINGS = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "log.showSignature=false",
)  # fmt: skip
"""What a user's own configuration cannot change: no programs of a repository's are started, and
signatures are no lines of the log."""
PROTOCOLS = "file:https"
KEPT = frozenset({"GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_LFS_SKIP_SMUDGE"})
"""The variables of git that name no repository."""
LONGEST = 300
SILENT = "it said nothing"
LIBC, SET_PDEATHSIG = ctypes.CDLL(None), 1


class GitError(Exception):
    """What git said when it failed."""


def run_git(
    arguments: Sequence[str],
    folder: Path,
    time_limit: float = TIME_LIMIT,
    protocols: str = PROTOCOLS,
) -> str:
    """Return what a command of git prints.

    Its login comes from git's own credential helpers or from ~/.netrc, never by a question.

    Args:
        arguments: its words.
        folder: where it runs.
        time_limit: in seconds; it is ended then, and with it whatever it has started.
        protocols: those that it may speak, between colons.

    Raises:
        GitError: it failed.
        UsageError: git is not installed, or took too long.
    """
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    try:
        process = subprocess.Popen(  # noqa: S603 - a list of words, checked by its callers
            ["git", *settings, *arguments],  # noqa: S607 - the user's own git
            cwd=folder, env=environment(protocols), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - calls nothing but the kernel
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git is not installed; install it, for what a repository holds") from None
    try:
        out, said = process.communicate(timeout=time_limit)
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"git {arguments[0]} took more than {time_limit:g} s and was ended"
        ) from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        raise GitError(last_words(said.decode(errors="replace")))
    return out.decode(errors="replace").strip()


def end_with_parent() -> None:
    """Have the kernel end this process with the one that started it, however that one ends."""
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(SET_PDEATHSIG, signal.SIGKILL)


def environment(protocols: str = PROTOCOLS) -> dict[str, str]:
    """Return the variables of git: none that leads it to another repository or to a prompt."""
    inherited = {
        name: text
        for name, text in os.environ.items()
        if name in KEPT or not name.startswith("GIT_")
    }
    return {
        **inherited,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_TERMINAL_PROMPT": "0",
        "GCM_INTERACTIVE": "never",
        "LC_ALL": "C",
    }


def last_words(text: str) -> str:
    """Return the line that says why git failed, before what it gives as a hint."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    line = [*fatal, *reversed(lines), SILENT][0]
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:LONGEST]
